// Keeps the built watch page in memory, split at the placeholder for the stream's tags, with the digests of the inline scripts. The page is
// read again after a second, because a build may replace the file.
import { readFile } from 'node:fs/promises';
import { inlineScriptSources } from '../http/response-headers.ts';

const previewMark = '<!--preview-->';
/** Time for which the page is kept, milliseconds. Thousands of clients may request the page within a second. */
const keptMs = 1_000;

export interface PageParts {
  /** Parts of the page before and after the tags of the stream. Equal for all clients. */
  readonly before: Buffer;
  readonly after: Buffer;
  /** Digests of the inline scripts, as used in a Content-Security-Policy. */
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

  /** Undefined when the page is not built. Rejects when the page cannot be read for another reason. */
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
