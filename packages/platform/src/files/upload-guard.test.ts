import { AppError, maxUploadBytes } from '@srs-stack/contract';
import { expect, it } from 'vitest';
import { createUploadGuard, type UploadWatch, withDiskFull } from './upload-guard.ts';

const megabyte = 1024 ** 2;
async function take(watch: UploadWatch, megabytes: number): Promise<void> {
  for (let taken = 0; taken < megabytes; taken += 1) await watch(megabyte);
}

it('checks memory and disk every 8 MiB, separately for each upload', async () => {
  let collections = 0;
  let looks = 0;
  const guard = createUploadGuard(
    async () => void looks++,
    () => collections++,
  );
  await Promise.all([take(guard(), 39), take(guard(), 15)]);
  expect([collections, looks]).toEqual([5, 5]);
});

it('stops when the disk space runs out', async () => {
  let looks = 0;
  const guard = createUploadGuard(async () => {
    looks += 1;
    if (looks === 2) throw new AppError('diskFull');
  });
  await expect(take(guard(), 100)).rejects.toMatchObject({ errorName: 'diskFull' });
});

it('stops at the largest file size', async () => {
  const watch = createUploadGuard(async () => undefined)();
  await watch(maxUploadBytes);
  expect(() => watch(1)).toThrow(expect.objectContaining({ errorName: 'uploadTooLarge' }));
});

it.each([
  ['ENOSPC', 'diskFull'],
  ['EDQUOT', 'diskFull'],
  ['EIO', undefined],
])('%s is %s', (code, name) => {
  const error = Object.assign(new Error('write'), { code });
  const mapped = withDiskFull(error);
  expect(mapped instanceof AppError ? mapped.errorName : undefined).toBe(name);
});
