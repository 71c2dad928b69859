import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openPreparedFiles } from './prepared-files.ts';

it('keeps unused files for an hour, so that a temporarily missing source is not prepared again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'srs-prepared-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const used = join(folder, 'used.flv');
  const missing = join(folder, 'missing.flv');
  for (const file of [used, missing]) {
    await writeFile(file, '');
    await writeFile(indexNameOf(file), JSON.stringify({ durationMs: 1_000 }));
  }
  let now = 0;
  const prepare = () => Promise.reject(new Error('not expected'));
  const files = await openPreparedFiles({ folder, prepare, log: pino({ level: 'silent' }), clock: () => now });
  await files.keepOnly(new Set([used]));
  now = 3_599_000;
  await files.keepOnly(new Set([used]));
  expect(await readdir(folder)).toHaveLength(4);
  await files.keepOnly(new Set([used, missing]));
  now = 3_600_000;
  await files.keepOnly(new Set([used]));
  expect(files.lengthOf(missing)).toBe(1_000);
  expect(await readdir(folder)).toHaveLength(4);
  now = 7_200_000;
  await files.keepOnly(new Set([used]));
  expect((await readdir(folder)).toSorted()).toEqual(['used.flv', indexNameOf('used.flv')].toSorted());
});
