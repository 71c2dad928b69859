import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeUpload } from './upload-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-upload-'));
  path = join(folder, 'file');
});
afterEach(() => rmSync(folder, { recursive: true }));

const unwatched = () => undefined;
const bytes = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 7 + (index >> 11)) % 251));

function* inPieces(size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

it.each([1_000, 65_536, 524_287, 524_288, 524_289, 2_000_000])('writes pieces of %d bytes in order', async (size) => {
  const stored = await storeUpload(Readable.from(inPieces(size)), { path, flags: 'wx', start: 0, watch: unwatched });
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(stored).toBe(bytes.length);
});

it('continues an existing file', async () => {
  writeFileSync(path, 'four');
  const more = Readable.from([Buffer.from('more')]);
  expect(await storeUpload(more, { path, flags: 'r+', start: 4, watch: unwatched })).toBe(4);
  expect(readFileSync(path, 'utf8')).toBe('fourmore');
});

it('keeps every byte that arrived before the connection broke', async () => {
  async function* cut() {
    yield bytes.subarray(0, 700_000);
    await vi.waitFor(() => expect(statSync(path).size).toBeGreaterThan(500_000), { timeout: 10_000, interval: 10 });
    throw new Error('the connection was interrupted');
  }
  const stored = storeUpload(Readable.from(cut()), { path, flags: 'wx', start: 0, watch: unwatched });
  await expect(stored).rejects.toThrow('the connection was interrupted');
  expect(readFileSync(path).equals(bytes.subarray(0, 700_000))).toBe(true);
});

it('fails with the error of the watch, and with that of the disk', async () => {
  const watch = () => Promise.reject(new AppError('diskFull'));
  const refused = storeUpload(Readable.from(inPieces(1_000)), { path, flags: 'wx', start: 0, watch });
  await expect(refused).rejects.toMatchObject({ errorName: 'diskFull' });
  // /dev/full behaves like a full disk.
  const options = { path: '/dev/full', flags: 'r+', start: 0, watch: unwatched } as const;
  await expect(storeUpload(Readable.from(inPieces(65_536)), options)).rejects.toMatchObject({ code: 'ENOSPC' });
  await expect(storeUpload(Readable.from([Buffer.from('few')]), options)).rejects.toMatchObject({ code: 'ENOSPC' });
});

it('handles a body that fails before the file is open, and a file that cannot be opened', async () => {
  const body = new Readable({ read() {} });
  const stored = storeUpload(body, { path, flags: 'wx', start: 0, watch: unwatched });
  body.destroy(new Error('the connection was interrupted'));
  await expect(stored).rejects.toThrow('the connection was interrupted');
  const nowhere = { path: join(folder, 'none', 'file'), flags: 'wx', start: 0, watch: unwatched } as const;
  await expect(storeUpload(Readable.from(inPieces(65_536)), nowhere)).rejects.toMatchObject({ code: 'ENOENT' });
});
