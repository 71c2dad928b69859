// The folder of snapshots: per stream one folder, named by a hash, with `stream.json` and images `{milliseconds}-{m|t}.jpg`. The list is
// read once and cached.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { z } from 'zod';

const streamFile = 'stream.json';
const imageName = /^(\d{13})-([mt])\.jpg$/;
/** Maximum number of folders read in parallel at the start. */
const readAtOnce = 32;

export interface StreamName {
  readonly app: string;
  readonly stream: string;
}

interface StreamSnapshots extends StreamName {
  /** Oldest first. */
  readonly snapshots: Snapshot[];
}

const streamName = z.object({ app: z.string(), stream: z.string() });

export class SnapshotFolder {
  readonly root: string;
  readonly #streams: Map<string, StreamSnapshots>;

  private constructor(root: string, streams: Map<string, StreamSnapshots>) {
    this.root = root;
    this.#streams = streams;
  }

  static async open(root: string): Promise<SnapshotFolder> {
    await mkdir(root, { recursive: true });
    const names = await readdir(root);
    const streams = new Map<string, StreamSnapshots>();
    for (let start = 0; start < names.length; start += readAtOnce) {
      const some = names.slice(start, start + readAtOnce);
      const found = await Promise.all(some.map((name) => readStream(join(root, name)).catch(() => undefined)));
      for (const each of found) if (each) streams.set(keyOf(each), each);
    }
    return new SnapshotFolder(root, streams);
  }

  streams(): readonly StreamSnapshots[] {
    return [...this.#streams.values()].filter(({ snapshots }) => snapshots.length > 0);
  }

  /** Oldest first. */
  list(source: StreamName): readonly Snapshot[] {
    return this.#streams.get(keyOf(source))?.snapshots ?? [];
  }

  async add(source: StreamName, image: Buffer, at: Date, isTimed: boolean): Promise<Snapshot> {
    const { app, stream } = source;
    const folder = this.#folderOf(source);
    const known = this.#streams.get(keyOf(source));
    if (!known) {
      await mkdir(folder, { recursive: true });
      await writeFileAtomically(join(folder, streamFile), JSON.stringify({ app, stream }), 0o644);
    }
    const entry = known ?? this.#streams.get(keyOf(source)) ?? { app, stream, snapshots: [] };
    this.#streams.set(keyOf(source), entry);
    // Keeps names in order for snapshots within one millisecond, and after the clock was set back.
    const last = entry.snapshots.at(-1);
    const atMs = Math.max(at.getTime(), last ? Date.parse(last.at) + 1 : 0);
    const name = `${String(atMs).padStart(13, '0')}-${isTimed ? 't' : 'm'}.jpg`;
    const snapshot = { name, at: new Date(atMs).toISOString(), size: image.length, isTimed };
    // Adds the entry before the write: a concurrent snapshot then gets a later name.
    entry.snapshots.push(snapshot);
    try {
      await writeFileAtomically(join(folder, name), image, 0o644);
    } catch (error) {
      entry.snapshots.splice(entry.snapshots.indexOf(snapshot), 1);
      throw error;
    }
    return snapshot;
  }

  async read(source: StreamName, name: string): Promise<Buffer | undefined> {
    const isKnown = this.list(source).some((each) => each.name === name);
    return isKnown ? readFile(join(this.#folderOf(source), name)).catch(() => undefined) : undefined;
  }

  async remove(source: StreamName, name: string): Promise<void> {
    const entry = this.#streams.get(keyOf(source));
    const place = entry?.snapshots.findIndex((each) => each.name === name) ?? -1;
    if (!entry || place < 0) return;
    entry.snapshots.splice(place, 1);
    await rm(join(this.#folderOf(source), name), { force: true });
  }

  async removeAll(source: StreamName): Promise<void> {
    this.#streams.delete(keyOf(source));
    await rm(this.#folderOf(source), { recursive: true, force: true });
  }

  #folderOf(source: StreamName): string {
    return join(this.root, createHash('sha256').update(keyOf(source)).digest('hex').slice(0, 24));
  }
}

const keyOf = ({ app, stream }: StreamName) => `${app}/${stream}`;

async function readStream(folder: string): Promise<StreamSnapshots> {
  const source = streamName.parse(JSON.parse(await readFile(join(folder, streamFile), 'utf8')));
  const names = (await readdir(folder)).filter((name) => imageName.test(name)).sort();
  const snapshots = names.map(async (name) => {
    const [, atMs, kind] = imageName.exec(name) ?? [];
    const { size } = await stat(join(folder, name));
    return { name, at: new Date(Number(atMs)).toISOString(), size, isTimed: kind === 't' };
  });
  return { ...source, snapshots: await Promise.all(snapshots) };
}
