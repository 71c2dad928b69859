import { AppError, maxUploadBytes } from '@srs-stack/contract';
import { expect, it } from 'vitest';
import { createUploadGuard, withDiskFull } from './upload-guard.ts';

const megabyte = Buffer.alloc(1024 ** 2);
async function* body(megabytes: number) {
  for (let sent = 0; sent < megabytes; sent += 1) yield megabyte;
}
async function passed(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes / megabyte.length;
}

it('passes everything on, looking after memory and disk every 16 MiB', async () => {
  let collections = 0;
  let looks = 0;
  const guard = createUploadGuard(
    async () => void looks++,
    () => collections++,
  );
  expect(await passed(guard(body(40)))).toBe(40);
  expect([collections, looks]).toEqual([2, 2]);
});

it('stops when the room is used up meanwhile', async () => {
  let looks = 0;
  const guard = createUploadGuard(async () => {
    looks += 1;
    if (looks === 2) throw new AppError('diskFull');
  });
  await expect(passed(guard(body(100)))).rejects.toMatchObject({ errorName: 'diskFull' });
});

it('stops at the largest file size', async () => {
  const huge = { length: maxUploadBytes } as Buffer;
  async function* tooMuch() {
    yield huge;
    yield megabyte;
  }
  const guard = createUploadGuard(async () => undefined);
  await expect(passed(guard(tooMuch()))).rejects.toMatchObject({ errorName: 'uploadTooLarge' });
});

it.each([
  ['ENOSPC', 'diskFull'],
  ['EDQUOT', 'diskFull'],
  ['EIO', undefined],
])('%s is %s', (code, name) => {
  const error = Object.assign(new Error('write'), { code });
  const told = withDiskFull(error);
  expect(told instanceof AppError ? told.errorName : undefined).toBe(name);
});
