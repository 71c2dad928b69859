// The folder of slate files: images, and slates for each format of a stream, encoded one at a time. The image of the setting is also in the
// store, where other nodes of the cluster read it.
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

/** Pause after a failed slate, milliseconds. */
const retryMs = 60_000;
const readableByAll = 0o644;

interface StoredImage {
  readonly data: string;
}

/** Images by name. The name, which the settings contain, is a hash of the image. */
const images: CollectionType<StoredImage> = { name: 'slate-images', schema: z.object({ data: z.string() }) };

export interface SlateFilesDeps {
  readonly store: Pick<Store, 'collection' | 'subscribe'>;
  readonly log: Log;
  readonly dataDir: string;
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
  #writes = 0;
  /** Image that is known to be in the store. */
  #shared = '';
  readonly #failures = new Map<string, { readonly atMs: number; readonly failed: SlateFailure }>();

  constructor(deps: SlateFilesDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
    // Stores the image again if another node has removed it, or if the store has lost it.
    deps.store.subscribe((change) => {
      if (change.kind === 'anything' || (change.kind === 'row' && change.collection === images.name)) this.#shared = '';
    });
  }

  /** Lists the existing files. Forgets failures whose pause is over. */
  async refresh(): Promise<void> {
    this.#present = new Set((await readdir(this.#folder)).map((name) => join(this.#folder, name)));
    const now = this.#deps.clock();
    for (const [file, { atMs }] of this.#failures) if (now - atMs >= retryMs) this.#failures.delete(file);
  }

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

  /** Starts encoding the slate. Does nothing if the slate exists or has failed, or while a slate is encoded. */
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

  get encoding(): Promise<void> | undefined {
    return this.#encoding?.ended;
  }

  /**
   * Removes files that neither an order nor the setting needs.
   * @param image returns the image of the setting, which may change during the call.
   */
  async keepOnly(slates: readonly string[], image: () => string): Promise<void> {
    const kept = new Set(slates);
    if (this.#encoding) kept.add(this.#encoding.file).add(unfinishedName(this.#encoding.file));
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      // Images are first written to temporary files.
      const isWritten = this.#writes > 0 && !name.endsWith('.ts');
      if (!kept.has(path) && path !== this.imagePath(image()) && !isWritten) await rm(path, { force: true });
    }
  }

  /** Copies the image of the setting from the store, or stores the local image if the store has none. */
  async shareImage(image: string): Promise<void> {
    const path = this.imagePath(image);
    if (path === undefined || (image === this.#shared && this.#present.has(path))) return;
    // Must precede `#share`: a change of the store during `#share` resets this field.
    this.#shared = image;
    try {
      if (!(await this.#share(image, path))) this.#shared = '';
    } catch (error) {
      this.#shared = '';
      throw error;
    }
  }

  /** Copies an image between disk and store. Returns false if both lack the image. */
  async #share(image: string, path: string): Promise<boolean> {
    const rows = this.#deps.store.collection(images);
    const row = await rows.get(image);
    // A file whose hash differs from its name is damaged and is replaced. The hash check also prevents names of files outside the folder.
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

  /** Removes all images from the store except the image of the setting. */
  async dropOtherImages(image: () => string): Promise<void> {
    const rows = this.#deps.store.collection(images);
    for (const id of (await rows.entries()).keys()) if (id !== image()) await rows.remove(id);
  }

  /** Stores an image and keeps it while `use` saves its name in the setting. Throws `watermarkUnusable` for a file that is not an image. */
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

  async readImage(image: string): Promise<Buffer | undefined> {
    const path = this.imagePath(image);
    if (path === undefined) return undefined;
    await this.shareImage(image);
    return readFile(path).catch(() => undefined);
  }

  /** Undefined for a black frame. */
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
