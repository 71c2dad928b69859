// FFmpeg arguments for a forward. Media is copied into the container that the target requires, or encoded.
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

/** No `-re`: live streams set their own pace. `-re` would turn the initial burst into a permanent delay. */
export function forwardArgs({ input, output }: { input: string; output: string | PushOutput }): string[] {
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input, '-c', 'copy'],
    ...outputArgs(output),
  ];
}

export interface EncodedForward {
  readonly input: string;
  readonly output: string | PushOutput;
  /** Size of all frames. The target never receives another configuration. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly kbps: number;
}

/** Keyframe interval, seconds, as platforms require. */
const keyframeSeconds = 2;
/** Assumed frame rate while unknown; limits the keyframe interval. */
const mostFps = 120;
const audioKbps = 160;

/** FFmpeg arguments for a forward that encodes: one encoder encodes source, slate and backup. */
export function encodedForwardArgs({ input, output, frame, kbps }: EncodedForward): string[] {
  const [width, height] = [frame.width, frame.height].map((side) => Math.max(2, Math.trunc(side / 2) * 2));
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease`;
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input, '-map', '0:v:0?', '-map', '0:a:0?'],
    ...['-vf', `${fit},pad=${width}:${height}:-1:-1,setsar=1`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'high', '-bf', '0'],
    ...['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${2 * kbps}k`, '-pix_fmt', 'yuv420p'],
    ...['-force_key_frames', `expr:gte(t,n_forced*${keyframeSeconds})`, '-g', String(mostFps * keyframeSeconds)],
    ...['-af', 'aresample=async=1', '-c:a', 'aac', '-b:a', `${audioKbps}k`, '-ar', '48000', '-ac', '2'],
    ...outputArgs(output),
  ];
}
