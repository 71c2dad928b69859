// FFmpeg arguments for a camera. Video and AAC are copied. Other audio is encoded to AAC. A silent track can replace the audio.
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
/** Audio other than AAC is encoded: most players and MPEG-TS do not support the G.711 of cameras. */
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
