// Recording on a full disk: a tmpfs of a few megabytes, if this process may mount one (as root, e.g. in CI). Without this permission the
// disk space is simulated. The test title shows which case ran.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { openObjects } from '../src/objects/open-objects.ts';
import type { MeasureDisk } from '../src/recording/disk-space.ts';
import { openRecords, type Records } from '../src/recording/records.ts';
import { createAuditTrail } from '../src/store/audit-trail.ts';
import { openStoreFile } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { noPeers } from '../src/testing/no-peers.ts';

const diskBytes = 8 * 1024 * 1024;
/** Leaves space for only a few segments. */
const fillerBytes = 5 * 1024 * 1024;

const dataDir = await mkdtemp(join(tmpdir(), 'srs-full-'));
const recordFolder = join(dataDir, 'record');
await mkdir(recordFolder);
const isMounted = mount();

let store: Store;
let records: Records;
let clip: Buffer;
const clock = { nowMs: Date.parse('2026-01-02T03:04:05Z') };

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', recordFolder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function sizeOf(folder: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) size += found.size;
  }
  return size;
}
const countedDisk: MeasureDisk = async () => ({
  totalBytes: diskBytes,
  freeBytes: Math.max(0, diskBytes - (await sizeOf(recordFolder))),
});

beforeAll(async () => {
  const file = join(dataDir, 'clip.mpegts');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=2', '-c:v', 'libx264', '-b:v', '1M'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', '-f', 'mpegts', file]);
  clip = await readFile(file);
  ({ store } = await openStoreFile(await openDataFolder(dataDir), new Date(clock.nowMs)));
  const log = pino({ level: 'silent' });
  const now = () => new Date(clock.nowMs);
  const audit = createAuditTrail({ store, log, now });
  records = await openRecords({
    peers: noPeers,
    nodes: { self: { id: 'a', name: 'a' }, isShared: false, list: () => [], isGone: () => false },
    ...{ store, log, now, dataDir, hlsPath: dataDir },
    audit,
    objects: await openObjects({ store, audit, log, now }),
    monotonicMs: () => clock.nowMs,
    ...(isMounted ? {} : { measureDisk: countedDisk }),
  });
  await records.rules.apply(true, thisServer);
});
afterAll(async () => {
  await records?.close();
  await store?.close();
  if (isMounted) execFileSync('umount', ['-l', recordFolder]);
  await rm(dataDir, { recursive: true, force: true });
});

let sequence = 0;
async function segment() {
  const name = `s-${sequence}.ts`;
  await writeFile(join(dataDir, name), clip);
  const source = { vhost: '', app: 'live', stream: 's', m3u8Url: 'live/s.m3u8', url: `live/${name}` };
  const file = join(dataDir, name);
  await records.onSegment({ ...source, file, durationSeconds: 2, sequenceNumber: sequence++ });
  await rm(file);
}
const row = () => records.files({ search: '', offset: 0, limit: undefined })[0];
const state = async () => (await records.status({ search: '' })).disk.state;

it(`recording stops cleanly on a full disk, keeps its files, and continues when there is space (${
  isMounted ? 'tmpfs' : 'simulated, mount is not permitted'
})`, async () => {
  const filler = join(recordFolder, 'filler');
  await writeFile(filler, Buffer.alloc(fillerBytes));
  await segment();
  const { uuid = '' } = row() ?? {};
  // With a stopped clock the free space is not measured again, so the write itself fails.
  const stepMs = isMounted ? 0 : 3_000;
  for (let each = 0; each < 60 && (await state()) !== 'full'; each++) {
    clock.nowMs += stepMs;
    await segment();
  }
  expect(await state()).toBe('full');
  const kept = row()?.nn ?? 0;
  expect(kept).toBeGreaterThan(1);
  const folder = join(recordFolder, uuid);
  const names = await readdir(folder);
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  const segments = names.filter((name) => name.endsWith('.ts'));
  expect(segments).toHaveLength(kept);
  for (const name of segments) expect((await readFile(join(folder, name))).equals(clip)).toBe(true);

  // A full disk stops recording, but publishers are still admitted.
  clock.nowMs += 3_000;
  await segment();
  expect(row()).toMatchObject({ nn: kept, state: 'recording' });

  // After space is freed, the recording continues under the same id.
  await rm(filler);
  clock.nowMs += 3_000;
  await segment();
  expect(await state()).not.toBe('full');
  expect(row()).toMatchObject({ uuid, nn: kept + 1, state: 'recording' });
  expect(await records.link(`${uuid}.m3u8`)).toMatchObject({ text: expect.stringContaining('#EXT-X-DISCONTINUITY') });
  await records.end(uuid);
  await vi.waitFor(() => expect(row()).toMatchObject({ state: 'done', problem: '' }), {
    timeout: 20_000,
    interval: 50,
  });
});
