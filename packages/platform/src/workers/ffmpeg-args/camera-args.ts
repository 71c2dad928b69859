// FFmpeg arguments for a camera. Media is copied, or a silent track replaces the audio.
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export interface CameraArgs {
  readonly url: string;
  readonly transport: 'tcp' | 'udp';
  readonly isSilent: boolean;
  readonly output: PushOutput;
}

const silence = ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=stereo:sample_rate=44100'];
const silentAudio = ['-c:a', 'aac', '-ac', '2', '-ar', '44100', '-b:a', '20k'];
/** RTMP and SRT cannot carry G.711, so audio other than AAC is encoded. */
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
