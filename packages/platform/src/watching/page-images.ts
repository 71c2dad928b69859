// Images of the watch page: re-encoded uploads, stored for all nodes of a cluster. Gateways serve copies from the data folder.
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type WatchImageUse, watchImageName } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { z } from 'zod';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { CollectionType, Store } from '../store/store.ts';

/** Maximum number of unused images. The newest are kept, because an open form may still use them. */
const maxUnusedImages = 16;
/** Mode of the images: only the gateway of this machine reads them. */
const ownerOnly = 0o600;

interface StoredPicture {
  /** Base64. */
  readonly data: string;
  /** RFC 3339. */
  readonly addedAt: string;
}

const pictures: CollectionType<StoredPicture> = {
  name: 'watch-pictures',
  schema: z.object({ data: z.string(), addedAt: z.string() }),
};

export interface PageImagesDeps {
  readonly store: Store;
  readonly now: () => Date;
  readonly folder: string;
  /** Converts a poster to JPEG, a logo to PNG. Throws an error for the uploader. */
  readonly convert: (file: Buffer, use: WatchImageUse) => Promise<Buffer>;
}

export class PageImages {
  readonly #deps: PageImagesDeps;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: PageImagesDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts all allowed image types. Resolves with a name derived from the content. Throws the errors of `convert`.
   * @param inUse image names in the settings; these images are kept.
   */
  async receive(file: Buffer, use: WatchImageUse, inUse: ReadonlySet<string>): Promise<string> {
    const bytes = await this.#deps.convert(file, use);
    const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
    const name = `${id}.${use === 'logo' ? 'png' : 'jpg'}`;
    await this.#oneAtATime(async () => {
      const addedAt = this.#deps.now().toISOString();
      await this.#rows.put(name, { data: bytes.toString('base64'), addedAt });
      await this.#write(name, bytes);
      await this.#prune(new Set([...inUse, name]));
    });
    return name;
  }

  async known(names: Iterable<string>): Promise<Set<string>> {
    const found = await Promise.all([...names].map(async (name) => ((await this.#rows.get(name)) ? [name] : [])));
    return new Set(found.flat());
  }

  /** Writes images that the folder lacks. */
  lay(names: Iterable<string>): Promise<void> {
    return this.#oneAtATime(async () => {
      for (const name of names) {
        if (await isFile(join(this.#deps.folder, name))) continue;
        const row = await this.#rows.get(name);
        if (row) await this.#write(name, Buffer.from(row.data, 'base64'));
      }
    });
  }

  get #rows() {
    return this.#deps.store.collection(pictures);
  }

  async #write(name: string, bytes: Buffer): Promise<void> {
    const { folder } = this.#deps;
    await mkdir(folder, { recursive: true });
    await writeFileAtomically(join(folder, name), bytes, ownerOnly);
  }

  /** Removes the oldest unused images, and files without an entry in the store. */
  async #prune(kept: ReadonlySet<string>): Promise<void> {
    const { folder } = this.#deps;
    const rows = await this.#rows.entries();
    const unused = [...rows].filter(([name]) => !kept.has(name));
    unused.sort(([, a], [, b]) => (a.addedAt < b.addedAt ? 1 : -1));
    const old = unused.slice(maxUnusedImages).map(([name]) => name);
    for (const name of old) await this.#rows.remove(name);
    const names = await readdir(folder);
    const strays = names.filter((name) => !watchImageName.test(name) || !rows.has(name));
    await Promise.all([...old, ...strays].map((name) => rm(join(folder, name), { force: true })));
  }
}

async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}
