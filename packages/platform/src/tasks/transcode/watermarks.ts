// Watermark images of the transcoder, validated and stored as PNG files. A file name is the hash of the content. Only the newest images are
// kept.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, because, type WatermarkImage } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import { withDiskFull } from '../../files/upload-guard.ts';

/** Number of images kept besides the current image: forms in other tabs may refer to them. */
const maxKeptImages = 8;
const idPattern = /^[0-9a-f]{32}$/;
const ownerOnly = 0o600;

export interface Watermarks {
  /** @param base64 PNG, JPEG or WebP. Throws `watermarkUnusable`, `programMissing` or `diskFull`. */
  receive(base64: string, inUse: string | undefined): Promise<WatermarkImage>;
  /** `picture` is a `data:` URL. Throws `fileNotFound`. */
  find(id: string): Promise<WatermarkImage & { picture: string }>;
  pathOf(id: string): Promise<string | undefined>;
}

export interface WatermarksDeps {
  /** Created if missing. */
  readonly folder: string;
  readonly toPng: (file: Buffer) => Promise<{ bytes: Buffer; width: number; height: number }>;
}

export function createWatermarks({ folder, toPng }: WatermarksDeps): Watermarks {
  const oneAtATime = createOneAtATime();
  const fileOf = (id: string) => join(folder, `${id}.png`);

  const pathOf = async (id: string): Promise<string | undefined> => {
    if (!idPattern.test(id)) return undefined;
    const found = await stat(fileOf(id)).catch(() => undefined);
    return found?.isFile() ? fileOf(id) : undefined;
  };

  /** Removes the oldest images and leftovers of interrupted writes. Keeps the image in use. */
  const prune = async (inUse: string | undefined, written: string) => {
    const names = await readdir(folder);
    const known = names.filter((name) => idPattern.test(name.replace(/\.png$/, '')));
    const dated = await Promise.all(
      known.map(async (name) => ({
        name,
        atMs: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    );
    const kept = new Set([`${inUse}.png`, `${written}.png`]);
    const newestFirst = dated.sort((a, b) => b.atMs - a.atMs).map(({ name }) => name);
    const old = newestFirst.filter((name) => !kept.has(name)).slice(maxKeptImages);
    const unfinished = names.filter((name) => !known.includes(name));
    await Promise.all([...old, ...unfinished].map((name) => rm(join(folder, name), { force: true })));
  };

  const keep = async (id: string, bytes: Buffer, inUse: string | undefined) => {
    await mkdir(folder, { recursive: true });
    await prune(inUse, id);
    if (await pathOf(id)) await utimes(fileOf(id), new Date(), new Date());
    else await writeFileAtomically(fileOf(id), bytes, ownerOnly);
  };

  return {
    async receive(base64, inUse) {
      const { bytes, width, height } = await toPng(Buffer.from(base64, 'base64'));
      const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
      await oneAtATime(() => keep(id, bytes, inUse)).catch((error) => {
        throw withDiskFull(error);
      });
      return { id, width, height, sizeBytes: bytes.length };
    },

    async find(id) {
      const path = await pathOf(id);
      if (!path) throw new AppError('fileNotFound', because('watermark.gone'));
      const bytes = await readFile(path);
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      const picture = `data:image/png;base64,${bytes.toString('base64')}`;
      return { id, width, height, sizeBytes: bytes.length, picture };
    },

    pathOf,
  };
}
