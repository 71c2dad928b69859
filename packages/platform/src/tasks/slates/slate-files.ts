// The folder of slate files: images, and a slate for each format of a stream, encoded one at a time. The image of the setting is also in
// the store, so that other nodes of a cluster can copy it.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { CollectionType, Store } from '../../store/store.ts';
import { type encodeSlate, type SlateOrderedFile, unfinishedName } from './encode-slate.ts';
import { type SlateFailure, slateFailure } from './slate-failure.ts';
import { lookKey, type SlateLook } from './slate-look.ts';
import { type SlateShape, shapeKey } from './slate-shape.ts';

/** Retry interval after a failed slate, milliseconds. */
const retryMs = 60_000;
const readableByAll = 0o644;

interface StoredImage {
  /** Base64 of a JPEG. */
  readonly data: string;
}

/** Images by their name in the settings, which is a hash of the content. */
const images: CollectionType<StoredImage> = { name: 'slate-images', schema: z.object({ data: z.string() }) };

export interface SlateFilesDeps {
  readonly store: Pick<Store, 'collection' | 'subscribe'>;
  readonly log: Log;
  readonly dataDir: string;
  /** Converts any image file to the stored JPEG. */
  readonly toImage: (file: Buffer) => Promise<Buffer>;
  readonly encode: typeof encodeSlate;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface Progress {
  /** Progress, 0 to 1. */
  done: number;
}

interface Encoding {
  readonly file: string;
  readonly progress: Progress;
  /** Resolves when the encoding has ended, with any result. */
  readonly ended: Promise<void>;
}

export type FileState =
  | { readonly state: 'ready' }
  | { readonly state: 'preparing'; readonly progress?: number }
  | ({ readonly state: 'failed' } & SlateFailure);

export async function openSlateFiles(deps: SlateFilesDeps): Promise<SlateFiles> {
  const folder = join(deps.dataDir, 'slates');
  await mkdir(folder, { recursive: true });
  const files = new SlateFiles(deps, folder);
  await files.refresh();
  return files;
}

export class SlateFiles {
  readonly #deps: SlateFilesDeps;
  readonly #folder: string;
  #present: ReadonlySet<string> = new Set();
  #encoding: Encoding | undefined;
  /** Number of images that are being written. */
  #writes = 0;
  /** Name of the image that is known to be in the store. */
  #shared = '';
  readonly #failures = new Map<string, { readonly atMs: number; readonly failed: SlateFailure }>();

  constructor(deps: SlateFilesDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
    // The image must be stored again if another node has removed it or the store has lost it.
    deps.store.subscribe((change) => {
      if (change.kind === 'anything' || (change.kind === 'row' && change.collection === images.name)) this.#shared = '';
    });
  }

  /** Reads the list of existing files, and forgets failures whose retry is due. */
  async refresh(): Promise<void> {
    this.#present = new Set((await readdir(this.#folder)).map((name) => join(this.#folder, name)));
    const now = this.#deps.clock();
    for (const [file, { atMs }] of this.#failures) if (now - atMs >= retryMs) this.#failures.delete(file);
  }

  /** Path of the slate of a shape, whether it exists or not. */
  pathOf(shape: SlateShape, look: SlateLook): string {
    const content = `${shapeKey(shape)}|${lookKey(look)}`;
    return join(this.#folder, `${createHash('sha256').update(content).digest('hex').slice(0, 32)}.ts`);
  }

  stateOf(file: string): FileState {
    if (this.#present.has(file)) return { state: 'ready' };
    const noted = this.#failures.get(file);
    if (noted) return { state: 'failed', ...noted.failed };
    if (this.#encoding?.file === file) return { state: 'preparing', progress: this.#encoding.progress.done };
    return { state: 'preparing' };
  }

  /** Starts encoding the slate unless another one is being encoded. */
  prepare(shape: SlateShape, look: SlateLook, signal: AbortSignal): void {
    const file = this.pathOf(shape, look);
    if (this.#encoding || this.stateOf(file).state !== 'preparing') return;
    const progress = { done: 0 };
    const ended = this.#encode({ ...look, shape, image: this.imagePath(look.image), file }, signal, progress);
    this.#encoding = { file, progress, ended };
  }

  async #encode(wanted: SlateOrderedFile, signal: AbortSignal, progress: Progress): Promise<void> {
    try {
      await this.#deps.encode(wanted, signal, (done) => {
        progress.done = done;
      });
    } catch (error) {
      if (!signal.aborted) this.#noteFailure(wanted.file, slateFailure(error as Error));
    } finally {
      this.#encoding = undefined;
    }
  }

  /** Resolves when the current encoding has ended; undefined without one. */
  get encoding(): Promise<void> | undefined {
    return this.#encoding?.ended;
  }

  /** Removes files that neither an order nor the setting needs. `image` reads the setting, which may change during the call. */
  async keepOnly(slates: readonly string[], image: () => string): Promise<void> {
    const kept = new Set(slates);
    if (this.#encoding) kept.add(this.#encoding.file).add(unfinishedName(this.#encoding.file));
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      // Images are written under temporary names first.
      const isWritten = this.#writes > 0 && !name.endsWith('.ts');
      if (!kept.has(path) && path !== this.imagePath(image()) && !isWritten) await rm(path, { force: true });
    }
  }

  /** Copies the image from the store if another node has received it, or stores the local image if the store has none. */
  async shareImage(image: string): Promise<void> {
    const path = this.imagePath(image);
    if (path === undefined || (image === this.#shared && this.#present.has(path))) return;
    // Set before `#share`, because a change of the store during that call must reset it.
    this.#shared = image;
    try {
      if (!(await this.#share(image, path))) this.#shared = '';
    } catch (error) {
      this.#shared = '';
      throw error;
    }
  }

  /** Copies an image between disk and store; false when it is in neither. */
  async #share(image: string, path: string): Promise<boolean> {
    const rows = this.#deps.store.collection(images);
    const row = await rows.get(image);
    // A file whose content does not match its name is damaged and is replaced. The hash also ensures that a row cannot name a file outside
    // the folder.
    const stored = intact(row && Buffer.from(row.data, 'base64'), image);
    const local = intact(await readFile(path).catch(() => undefined), image);
    if (stored && !local) await this.#write(path, stored);
    if (!stored && local) await rows.put(image, { data: local.toString('base64') });
    return stored !== undefined || local !== undefined;
  }

  async #write(path: string, bytes: Buffer): Promise<void> {
    this.#writes++;
    try {
      await writeFileAtomically(path, bytes, readableByAll);
    } finally {
      this.#writes--;
    }
  }

  /** Removes images from the store, except that of the setting. */
  async dropOtherImages(image: () => string): Promise<void> {
    const rows = this.#deps.store.collection(images);
    for (const id of (await rows.entries()).keys()) if (id !== image()) await rows.remove(id);
  }

  /** Stores an image while `use` saves its name in the setting. Throws `watermarkUnusable` for a file that is not an image. */
  async withImage(base64: string, use: (image: string) => Promise<void>): Promise<void> {
    this.#writes++;
    try {
      const bytes = await this.#deps.toImage(Buffer.from(base64, 'base64'));
      const image = imageName(bytes);
      await writeFileAtomically(this.imagePath(image)!, bytes, readableByAll);
      await this.#deps.store.collection(images).put(image, { data: bytes.toString('base64') });
      await use(image);
    } finally {
      this.#writes--;
    }
  }

  /** A stored image; undefined when it no longer exists. */
  async readImage(image: string): Promise<Buffer | undefined> {
    const path = this.imagePath(image);
    if (path === undefined) return undefined;
    await this.shareImage(image);
    return readFile(path).catch(() => undefined);
  }

  /** Path of an image; undefined for a black frame. */
  imagePath(image: string): string | undefined {
    return image === '' ? undefined : join(this.#folder, `${image}.jpg`);
  }

  #noteFailure(file: string, failed: SlateFailure): void {
    this.#failures.set(file, { atMs: this.#deps.clock(), failed });
    this.#deps.log.warn({ file, reason: failed.failure }, 'slate not encoded');
  }
}

function imageName(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}

function intact(bytes: Buffer | undefined, image: string): Buffer | undefined {
  return bytes && imageName(bytes) === image ? bytes : undefined;
}
