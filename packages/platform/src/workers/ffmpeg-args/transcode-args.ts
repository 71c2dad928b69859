// Arguments of the live transcoder.
import type { TranscodeConfig } from '@srs-stack/contract';
import { networkInputArgs, outputArgs } from './address.ts';
import { baseArgs, liveAnalyzeUs } from './base.ts';

export interface TranscodeArgs {
  readonly input: string;
  readonly output: string;
  readonly config: Pick<
    TranscodeConfig,
    'vcodec' | 'vprofile' | 'vpreset' | 'vbitrate' | 'acodec' | 'abitrate' | 'achannels'
  >;
}

/** `config` has passed `checkTranscode`: every text in it is one of a list. */
export function transcodeArgs({ input, output, config }: TranscodeArgs): string[] {
  const { vcodec, vprofile, vpreset, vbitrate, acodec, abitrate, achannels } = config;
  return [
    ...baseArgs,
    ...networkInputArgs(input),
    ...['-analyzeduration', liveAnalyzeUs],
    ...['-i', input],
    ...['-vcodec', vcodec, '-profile:v', vprofile, '-preset:v', vpreset, '-tune', 'zerolatency'],
    // The peak is bounded too: viewers chose this stream for its bitrate.
    ...['-b:v', `${vbitrate}k`, '-maxrate', `${vbitrate}k`, '-bufsize', `${2 * vbitrate}k`],
    ...['-r', '25', '-g', '50', '-bf', '0', '-pix_fmt', 'yuv420p'],
    ...['-acodec', acodec, '-b:a', `${abitrate}k`],
    ...(achannels > 0 ? ['-ac', String(achannels)] : []),
    ...outputArgs(output),
  ];
}
