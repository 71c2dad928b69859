// Immediate responses to commands, independent of the connection's state. `connection.ts` executes the commands.
import type { AmfValue } from './amf0.ts';
import { outgoingChunkSize } from './chunk-writer.ts';
import { type RtmpCommand, textOf, writeCommand } from './command-message.ts';
import { connectReply } from './connect-reply.ts';
import { writeSetChunkSize, writeSetPeerBandwidth, writeWindowAckSize } from './control-messages.ts';
import { mediaStreamId, type RtmpMessage } from './message.ts';
import { streamStatus, writeStatus } from './stream-status.ts';

/** Acknowledgement window, bytes (the value of SRS). Requested from the peer, and used until the peer requests another window. */
export const ackWindowBytes = 2_500_000;

/** `amf3`: the peer sent type 17 (AMF3 form), so the response also has type 17. */
type Respond = (command: RtmpCommand, amf3: boolean) => RtmpMessage[];

const nothing: Respond = () => [];

const responses = new Map<string, Respond>([
  ['connect', respondToConnect],
  ['releaseStream', (command, amf3) => [result(command, amf3, undefined)]],
  ['createStream', (command, amf3) => [result(command, amf3, mediaStreamId)]],
  ['getStreamLength', (command, amf3) => [result(command, amf3, 0)]],
  ['FCPublish', notice('onFCPublish', 'NetStream.Publish.Start')],
  ['FCUnpublish', notice('onFCUnpublish', 'NetStream.Unpublish.Success')],
  ['FCSubscribe', notice('onFCSubscribe', 'NetStream.Play.Start')],
  // Live streams cannot pause. The player gets the expected status, and the stream continues.
  [
    'pause',
    ({ args }, amf3) => [writeStatus(args[0] === true ? streamStatus.pauseNotify : streamStatus.unpauseNotify, amf3)],
  ],
  ['seek', (_command, amf3) => [writeStatus(streamStatus.seekNotify, amf3)]],
  // `connection.ts` sends the status messages of these commands.
  ['publish', nothing],
  ['play', nothing],
  ['closeStream', nothing],
  ['deleteStream', nothing],
  // A response gets no response, because two peers could respond to each other forever.
  ['_result', nothing],
  ['_error', nothing],
  ['onStatus', nothing],
]);

/** Unknown commands (`_checkbw`, `receiveAudio`) get an empty result if the peer expects a response. */
const respondToUnknown: Respond = (command, amf3) =>
  command.transactionId === 0 ? [] : [result(command, amf3, undefined)];

export function responsesTo(command: RtmpCommand, amf3: boolean): RtmpMessage[] {
  return (responses.get(command.name) ?? respondToUnknown)(command, amf3);
}

function respondToConnect({ object, transactionId }: RtmpCommand, amf3: boolean): RtmpMessage[] {
  const { properties, information } = connectReply(object);
  return [
    writeWindowAckSize(ackWindowBytes),
    writeSetPeerBandwidth(ackWindowBytes),
    writeSetChunkSize(outgoingChunkSize),
    writeCommand(0, amf3, '_result', transactionId, properties, information),
  ];
}

function notice(name: string, code: string): Respond {
  return (command, amf3) => {
    const information = { level: 'status', code, description: textOf(command.args[0]) ?? '' };
    return [result(command, amf3, undefined), writeCommand(0, amf3, name, 0, null, information)];
  };
}

function result({ transactionId }: RtmpCommand, amf3: boolean, value: AmfValue): RtmpMessage {
  return writeCommand(0, amf3, '_result', transactionId, null, value);
}
