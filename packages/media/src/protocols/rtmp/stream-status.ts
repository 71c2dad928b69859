// The status messages of a stream (RTMP 1.0 §7.2.2), with the codes of Flash Media Server that players and encoders expect.
import { type Status, writeCommand } from './command-message.ts';
import { userEvent, writeUserControl } from './control-messages.ts';
import { mediaStreamId, type RtmpMessage } from './message.ts';

export const streamStatus = {
  publishStart: status('NetStream.Publish.Start', 'Started publishing'),
  unpublishSuccess: status('NetStream.Unpublish.Success', 'Stopped publishing'),
  playReset: status('NetStream.Play.Reset', 'Reset stream'),
  playStart: status('NetStream.Play.Start', 'Started playing'),
  seekNotify: status('NetStream.Seek.Notify', 'Live, not moved'),
  pauseNotify: status('NetStream.Pause.Notify', 'Live, not paused'),
  unpauseNotify: status('NetStream.Unpause.Notify', 'Live, was not paused'),
} as const;

function status(code: string, description: string): Status {
  return { level: 'status', code, description };
}

/** `amf3`: the peer sent type 17 (AMF3 form), so the status also has type 17. */
export function writeStatus(information: Status, amf3: boolean): RtmpMessage {
  return writeCommand(mediaStreamId, amf3, 'onStatus', 0, null, { ...information });
}

/**
 * Status messages before the first media message of a player. `|RtmpSampleAccess` and `NetStream.Data.Start` are omitted, because FFmpeg
 * treats both as a data track.
 */
export function writePlayStart(amf3: boolean): RtmpMessage[] {
  return [
    writeUserControl(userEvent.streamBegin, mediaStreamId),
    writeStatus(streamStatus.playReset, amf3),
    writeStatus(streamStatus.playStart, amf3),
  ];
}
