// Names of renditions; each rendition of a ladder is a separate stream. Publishers cannot use `~` in a name (`stream-name.ts`), so that no
// other stream gets such a name; docs/decisions/ladder.md.
import { isValidStreamName } from './stream-name.ts';

const mark = '~';
/** `source`, `720p`, `audio`. */
const step = /^[a-z0-9]{1,12}$/;

/** `x~720p` for the rendition `720p` of the stream `x`. */
export function renditionName(stream: string, stepName: string): string {
  return `${stream}${mark}${stepName}`;
}

/** Stream and rendition of a name; undefined when it is not the name of a rendition. */
export function parseRenditionName(name: string): { readonly stream: string; readonly step: string } | undefined {
  const at = name.lastIndexOf(mark);
  if (at <= 0) return undefined;
  const [stream, stepName] = [name.slice(0, at), name.slice(at + 1)];
  return step.test(stepName) && isValidStreamName(stream) ? { stream, step: stepName } : undefined;
}

/** The stream whose access rules, settings and counts apply to a name: the source if it is a rendition, otherwise the stream itself. */
export function sourceNameOf(name: string): string {
  return parseRenditionName(name)?.stream ?? name;
}
