// The built watch page in memory: split where the tags of a stream belong, with the digests of its scripts. It is read again after a
// moment, because a build may replace it.
import { readFile } from 'node:fs/promises';
import { inlineScriptSources } from '../http/response-headers.ts';

/** Where the built page wants the tags of its stream. */
const previewMark = '<!--preview-->';
/** A page that was read is used for this long, milliseconds: thousands ask for it in a second. */
const keptMs = 1_000;

export interface PageParts {
  /** The same bytes for everybody. */
  readonly before: Buffer;
  readonly after: Buffer;
  /** Of the scripts that stand in it, as a policy names them. */
  readonly scriptSources: readonly string[];
}

export class BuiltPage {
  readonly #path: string;
  readonly #now: () => number;
  #kept: { readonly atMs: number; readonly parts: Promise<PageParts | undefined> } | undefined;

  /** @param now monotonic milliseconds. */
  constructor(path: string, now: () => number = () => performance.now()) {
    this.#path = path;
    this.#now = now;
  }

  /** Undefined: it is not built. Rejects when it cannot be read for another reason. */
  parts(): Promise<PageParts | undefined> {
    const nowMs = this.#now();
    if (!this.#kept || nowMs - this.#kept.atMs >= keptMs) this.#kept = { atMs: nowMs, parts: readParts(this.#path) };
    return this.#kept.parts;
  }
}

async function readParts(path: string): Promise<PageParts | undefined> {
  try {
    const page = await readFile(path, 'utf8');
    const [before = '', ...rest] = page.split(previewMark);
    const scriptSources = inlineScriptSources(page);
    return { before: Buffer.from(before), after: Buffer.from(rest.join(previewMark)), scriptSources };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
