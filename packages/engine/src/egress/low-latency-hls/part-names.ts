// Names of the files of a low-latency playlist, below the stream's app: `{stream}.ll.{run}.{number}.m4s` segments, `p{number}` parts,
// `i{number}` initialization segments. Parts are numbered across segments: the name of the next part does not depend on whether it starts a
// segment, so preload hints are always right. A run is one instance of the output: no name is ever reused.

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
/** Fifteen digits are exact as a number. */
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
