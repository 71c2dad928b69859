// A refused file leaves nothing behind, before or after the bytes arrive. (Uploads over HTTP: test/vlives.test.ts.)
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AppError } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createFileIntake, type FileIntake } from './file-intake.ts';
import { type MediaFolders, openMediaFolders } from './media-folders.ts';
import type { StoredFile } from './stored-file.ts';

let root: string;
let folders: MediaFolders;
let rows: StoredFile[];
let intake: FileIntake;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'srs-intake-'));
  folders = await openMediaFolders(root);
  rows = [];
  const now = () => new Date('2026-01-02T03:04:05Z');
  intake = createFileIntake({ folders, put: async (file) => void rows.push(file), now });
});
afterEach(() => rmSync(root, { recursive: true }));

const flv = Buffer.concat([Buffer.from('FLV\x01'), Buffer.alloc(20)]);
const refusal = (step: Promise<unknown>) =>
  step.then(
    () => 'accepted',
    (error: AppError) => error.errorName,
  );
const left = () => [
  ...readdirSync(folders.upload).filter((name) => name !== '.partial'),
  ...readdirSync(folders.partial),
];

it('refuses files that are too large or of an unknown type before a byte is sent', async () => {
  const free = await folders.freeBytes();
  expect(await refusal(folders.requireSpace(free + 1024 ** 4))).toBe('diskFull');
  expect(await refusal(intake.admit('a.mp4', 101 * 1024 ** 3))).toBe('uploadTooLarge');
  expect(await refusal(intake.admit('a.exe', 1))).toBe('fileTypeRefused');
  expect(await refusal(intake.admit('a.mp4', 1))).toBe('accepted');
  expect(await refusal(intake.admit('A.MP4', undefined))).toBe('accepted');
});

it('removes a partial file when the disk becomes full', async () => {
  const body = Readable.from(
    (async function* () {
      yield Buffer.alloc(100_000);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    })(),
  );
  expect(await refusal(intake.receive('a.mp4', body))).toBe('diskFull');
  expect([left(), rows]).toEqual([[], []]);
});

it('stores a file under a generated name with the extension of its content, and keeps the given name without folders', async () => {
  const { uuid, target, name, size } = await intake.receive('C:\\films/my\u0000show.mp4', Readable.from([flv]));
  expect([target, name, size]).toEqual([`upload/${uuid}.flv`, 'my show.mp4', flv.length]);
  expect(readFileSync(join(root, target))).toEqual(flv);
  expect(rows).toEqual([{ uuid, name, size, target, type: 'upload', addedAt: '2026-01-02T03:04:05.000Z' }]);
});

it.each([
  ['nothing', Buffer.alloc(0), 'mediaUnusable'],
  ['a program', Buffer.from('\x7fELF and more'), 'fileTypeRefused'],
])('refuses %s with the name of a video, and keeps neither file nor row', async (_name, content, reason) => {
  expect(await refusal(intake.receive('a.mp4', Readable.from([content])))).toBe(reason);
  const part = join(folders.partial, 'gathered');
  writeFileSync(part, content);
  expect(await refusal(intake.takeOver(part, 'a.mp4', 'id'))).toBe(reason);
  expect([left(), rows]).toEqual([[], []]);
});

it('adds a file of the server without removing the original, and keeps both when another one is added', async () => {
  const own = join(root, 'upload', 'film.flv');
  writeFileSync(own, flv);
  const { uuid, target } = await intake.acquire('upload/film.flv');
  expect([readFileSync(join(root, target)), existsSync(own)]).toEqual([flv, true]);
  expect(rows).toMatchObject([{ uuid, name: 'film.flv', type: 'file' }]);
  writeFileSync(join(root, 'upload', 'notes.txt'), 'text');
  expect(await refusal(intake.acquire('upload/notes.txt'))).toBe('fileTypeRefused');
  expect(left().sort()).toEqual(['film.flv', 'notes.txt', `${uuid}.flv`].sort());
});
