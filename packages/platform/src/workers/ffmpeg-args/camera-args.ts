// Arguments for a camera that FFmpeg pulls: media is copied, or the audio is replaced by a silent track.
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export interface CameraArgs {
  readonly url: string;
  /** Transport of RTSP. */
  readonly transport: 'tcp' | 'udp';
  readonly isSilent: boolean;
  readonly output: PushOutput;
}

const silence = ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=stereo:sample_rate=44100'];
const silentAudio = ['-c:a', 'aac', '-ac', '2', '-ar', '44100', '-b:a', '20k'];
/** The containers of RTMP and SRT do not support G.711, so audio other than AAC is encoded. */
const plainAudio = ['-c:a', 'aac', '-b:a', '128k', '-ar', '44100'];

export function cameraArgs({ url, transport, isSilent, output }: CameraArgs, hasAac: boolean): string[] {
  return [
    ...baseArgs,
    ...['-fflags', 'nobuffer', '-analyzeduration', liveAnalyzeUs],
    ...networkInputArgs(url, transport),
    ...['-i', url],
    ...(isSilent ? silence : []),
    ...(isSilent ? ['-map', '0:V:0', '-map', '1:a'] : ['-map', '0:V:0?', '-map', '0:a:0?']),
    ...['-c:v', 'copy'],
    ...(isSilent ? silentAudio : hasAac ? ['-c:a', 'copy'] : plainAudio),
    ...outputArgs(output),
  ];
}
