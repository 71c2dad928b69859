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
