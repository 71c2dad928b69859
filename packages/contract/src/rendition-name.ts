// Names of renditions: the steps of a stream's ladder are streams of their own, beside it. `~` is in no name that a publisher may
// choose (`stream-name.ts`), so that nobody else can send under such a name; docs/decisions/ladder.md.
import { isValidStreamName } from './stream-name.ts';

const mark = '~';
/** `source`, `720p`, `audio`. */
const step = /^[a-z0-9]{1,12}$/;

/** `x~720p` for the step `720p` of the stream `x`. */
export function renditionName(stream: string, stepName: string): string {
  return `${stream}${mark}${stepName}`;
}

/** The stream and the step of a rendition's name; undefined for every other name. */
export function parseRenditionName(name: string): { readonly stream: string; readonly step: string } | undefined {
  const at = name.lastIndexOf(mark);
  if (at <= 0) return undefined;
  const [stream, stepName] = [name.slice(0, at), name.slice(at + 1)];
  return step.test(stepName) && isValidStreamName(stream) ? { stream, step: stepName } : undefined;
}

/** The stream whose rights, rules and counts hold for a name: its own, or the one it is a rendition of. */
export function sourceNameOf(name: string): string {
  return parseRenditionName(name)?.stream ?? name;
}
