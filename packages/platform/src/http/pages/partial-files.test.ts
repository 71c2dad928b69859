import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Upload } from '@tus/server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUploadGuard } from '../../files/upload-guard.ts';
import { PartialFiles } from './partial-files.ts';

let folder: string;
let files: PartialFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-partial-'));
  files = new PartialFiles(
    folder,
    createUploadGuard(async () => undefined),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const create = (id: string, size: number) => files.create(new Upload({ id, size, offset: 0, metadata: {} }));

it('continues where it stopped', async () => {
  await create('a', 8);
  expect(await files.write(Readable.from([Buffer.from('four')]), 'a', 0)).toBe(4);
  expect((await files.getUpload('a')).offset).toBe(4);
  expect(await files.write(Readable.from([Buffer.from('more')]), 'a', 4)).toBe(8);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('fourmore');
});

it('keeps what arrived before the connection broke', async () => {
  await create('a', 8);
  async function* broken() {
    yield Buffer.from('four');
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('the connection was interrupted');
  }
  await expect(files.write(Readable.from(broken()), 'a', 0)).rejects.toThrow('the connection was interrupted');
  expect(readdirSync(folder).sort()).toEqual(['a', 'a.json']);
});

it('reports a full disk, and leaves no file', async () => {
  await create('a', 1_000_000);
  rmSync(join(folder, 'a'));
  // /dev/full behaves like a full disk.
  symlinkSync('/dev/full', join(folder, 'a'));
  const write = files.write(Readable.from([Buffer.alloc(1_000_000)]), 'a', 0);
  await expect(write).rejects.toMatchObject({ errorName: 'diskFull' });
  expect(readdirSync(folder)).toEqual([]);
});
