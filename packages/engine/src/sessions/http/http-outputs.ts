// Output formats of plain HTTP by extension.

import { aacFormat, mp3Format } from '../../egress/audio/audio-broadcast-format.ts';
import { flvFormat } from '../../egress/flv/flv-broadcast-format.ts';
import { tsFormat } from '../../egress/ts/ts-broadcast-format.ts';
import type { HttpOutput } from './http-output.ts';
import { HttpViewers, type HttpViewersOptions } from './http-viewers.ts';

type HttpExtension = 'flv' | 'ts' | 'aac' | 'mp3';
export type HttpOutputs = Readonly<Record<HttpExtension, HttpOutput>>;

export function createHttpOutputs(options: Omit<HttpViewersOptions, 'format'>): HttpOutputs {
  const viewersOf = (format: HttpViewersOptions['format']): HttpViewers => new HttpViewers({ ...options, format });
  return {
    flv: { viewers: viewersOf(flvFormat), clientType: 'flv-play', contentType: 'video/x-flv' },
    ts: { viewers: viewersOf(tsFormat), clientType: 'ts-play', contentType: 'video/MP2T' },
    aac: { viewers: viewersOf(aacFormat), clientType: 'aac-play', contentType: 'audio/x-aac' },
    mp3: { viewers: viewersOf(mp3Format), clientType: 'mp3-play', contentType: 'audio/mpeg' },
  };
}

/** Undefined if no output has this extension. */
export function findHttpOutput(outputs: HttpOutputs, extension: string): HttpOutput | undefined {
  return Object.hasOwn(outputs, extension) ? outputs[extension as HttpExtension] : undefined;
}
