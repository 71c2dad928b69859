// File names of low-latency HLS: `{stream}.ll.{run}.{number}.m4s`, with `p{number}` for parts and `i{number}` for initialization segments.
// Part numbers continue across segments, so the name of the next part is always known for preload hints. `{run}`
// differs for each instance of the output, so no name is ever reused.

/** Suffix between the stream's name and `.m3u8`. */
export const lowLatencySuffix = '.ll';

type MediaFileKind = 'segment' | 'part' | 'init';

export interface MediaFileName {
  readonly stream: string;
  readonly run: string;
  readonly kind: MediaFileKind;
  readonly number: number;
}

const letters: Readonly<Record<MediaFileKind, string>> = { segment: '', part: 'p', init: 'i' };
/** Numbers of more than 15 digits are not exact. */
const pattern = /^(.+)\.ll\.([0-9a-z]{1,16})\.([pi]?)(\d{1,15})$/;

export function writeMediaFileName({ stream, run, kind, number }: MediaFileName): string {
  return `${stream}${lowLatencySuffix}.${run}.${letters[kind]}${number}.m4s`;
}

/** @param name without its extension. Undefined for other names. */
export function parseMediaFileName(name: string): MediaFileName | undefined {
  const match = pattern.exec(name);
  if (match === null) return undefined;
  const kind = match[3] === 'p' ? 'part' : match[3] === 'i' ? 'init' : 'segment';
  return { stream: match[1]!, run: match[2]!, kind, number: Number(match[4]) };
}
