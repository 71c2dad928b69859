// Names of renditions. Each rendition of a ladder is a separate stream. `~` separates stream and rendition, because publishers cannot use
// `~` in a name (docs/decisions/ladder.md).
import { isValidStreamName } from './stream-name.ts';

const mark = '~';
/** `source`, `720p`, `audio`. */
const step = /^[a-z0-9]{1,12}$/;

/** Returns `x~720p` for the rendition `720p` of the stream `x`. */
export function renditionName(stream: string, stepName: string): string {
  return `${stream}${mark}${stepName}`;
}

/** Splits the name of a rendition; undefined for other names. */
export function parseRenditionName(name: string): { readonly stream: string; readonly step: string } | undefined {
  const at = name.lastIndexOf(mark);
  if (at <= 0) return undefined;
  const [stream, stepName] = [name.slice(0, at), name.slice(at + 1)];
  return step.test(stepName) && isValidStreamName(stream) ? { stream, step: stepName } : undefined;
}

/** Maps a rendition to its source stream, whose access rules, settings and counts apply. Other names are returned unchanged. */
export function sourceNameOf(name: string): string {
  return parseRenditionName(name)?.stream ?? name;
}
