// Arguments of a forward: the stream as it is, in another container where the target wants one.
import { networkInputArgs, outputArgs, type PushOutput } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

/** No `-re`: a live stream sets its own pace, and pacing it again would keep the first burst as delay for ever. */
export function forwardArgs({ input, output }: { input: string; output: string | PushOutput }): string[] {
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input, '-c', 'copy'],
    ...outputArgs(output),
  ];
}
