// Arguments of a forward: the stream is copied, in another container if the target requires it.
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

/** No `-re`: a live stream sets its own pace, and pacing would turn the initial burst into a permanent delay. */
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
  /** All frames are fitted into it: the target never sees another configuration. */
  readonly frame: { readonly width: number; readonly height: number };
  readonly kbps: number;
}

/** Distance of keyframes, seconds: what platforms ask for. */
const keyframeSeconds = 2;
/** Keyframe interval where the frame rate is unknown, as frames per second of it. */
const mostFps = 120;
const audioKbps = 160;

/** One encoder for the source and its substitutes. */
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
