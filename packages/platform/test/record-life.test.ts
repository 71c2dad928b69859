// The life cycle of recordings with a simulated clock: silence, switching off, restarts, a full disk, a failing FFmpeg. The table of
// recordings is repaired from the folder, and the folder from the table.
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { openObjects } from '../src/objects/open-objects.ts';
import { type RunFfmpeg, runFfmpeg } from '../src/recording/mp4/remux.ts';
import { recordCollection } from '../src/recording/record-facts.ts';
import { openRecordFolder } from '../src/recording/record-folder.ts';
import { rebuildRecords } from '../src/recording/record-rebuild.ts';
import { openRecords, type Records, type RecordsDeps } from '../src/recording/records.ts';
import { createAuditTrail } from '../src/store/audit-trail.ts';
import { openStoreFile } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { serverBucket, serverKeys, startBucketServer } from '../src/testing/bucket-server.ts';
import { noPeers } from '../src/testing/no-peers.ts';

const log = pino({ level: 'silent' });
const megabyte = 1024 * 1024;
let dataDir: string;
let clip: Buffer;
let store: Store;
let records: Records;
let clock: { nowMs: number };
let disk: { freeBytes: number; totalBytes: number };
let gone: string[];
let notices: string[];
let sequence: number;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'srs-record-'));
  const clipFile = join(dataDir, 'clip.mpegts');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', '-f', 'mpegts', clipFile]);
  clip = await readFile(clipFile);
  clock = { nowMs: Date.parse('2026-01-02T03:04:05Z') };
  disk = { freeBytes: 100_000 * megabyte, totalBytes: 200_000 * megabyte };
  notices = [];
  gone = [];
  sequence = 0;
  await open();
  await records.rules.apply(true, thisServer);
});
afterEach(async () => {
  await close();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(more: Partial<RecordsDeps> = {}) {
  ({ store } = await openStoreFile(await openDataFolder(dataDir), new Date(clock.nowMs)));
  const now = () => new Date(clock.nowMs);
  const audit = createAuditTrail({ store, log, now });
  records = await openRecords({
    ...{ store, log, now, dataDir, hlsPath: dataDir },
    audit,
    objects: await openObjects({ store, audit, log, now }),
    peers: noPeers,
    nodes: { self: { id: 'a', name: 'a' }, isShared: false, list: () => [], isGone: (id) => gone.includes(id) },
    monotonicMs: () => clock.nowMs,
    measureDisk: async () => disk,
    events: { notify: ({ action, uuid }) => notices.push(`${action} ${uuid}`) },
    ...more,
  });
  records.start();
}
async function close() {
  await records.close();
  await store.close();
}

async function segment(number = sequence++) {
  const name = `s-${number}-${clock.nowMs}.ts`;
  const file = join(dataDir, name);
  await writeFile(file, clip);
  await utimes(file, clock.nowMs / 1000, clock.nowMs / 1000);
  await report(name, number);
  await unlink(file);
}

async function report(name: string, number: number, file = join(dataDir, name)) {
  const source = { vhost: '', app: 'live', stream: 's', m3u8Url: 'live/s.m3u8', url: `live/${name}` };
  await records.onSegment({ ...source, file, durationSeconds: 1, sequenceNumber: number });
}
const rows = () => records.files({ search: '', offset: 0, limit: undefined });
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const isDone = () => until(() => expect(rows().map(({ state }) => state)).toEqual(['done']));
/** Waits until the recorder has checked the time twice. */
const looksPass = () => new Promise((resolve) => setTimeout(resolve, 700));

it('a recording ends 300 seconds after the last segment, not before, and reports begin and end once', async () => {
  await segment();
  clock.nowMs += 200_000;
  await segment();
  clock.nowMs += 299_000;
  await looksPass();
  expect(rows()).toMatchObject([{ state: 'recording', nn: 2 }]);
  clock.nowMs += 1_000;
  await isDone();
  const [{ uuid } = { uuid: '' }] = rows();
  expect(notices).toEqual([`on_record_begin ${uuid}`, `on_record_end ${uuid}`]);
});

it('a recording ends 30 seconds after recording is switched off, and accepts no more segments', async () => {
  await segment();
  await records.rules.apply(false, thisServer);
  await segment();
  expect(rows()).toMatchObject([{ nn: 1 }]);
  clock.nowMs += 30_000;
  await isDone();
});

it('a recording tolerates a clock that is set back', async () => {
  await segment();
  clock.nowMs -= 3_600_000;
  await segment();
  await looksPass();
  expect(rows()).toMatchObject([{ state: 'recording', nn: 2 }]);
});

it('the silence while the server was down counts', async () => {
  await segment();
  await close();
  clock.nowMs += 301_000;
  await open();
  await isDone();
});

it('a recording pauses on a full disk, keeps its segments, and resumes in the same recording', async () => {
  await segment();
  clock.nowMs += 10_000;
  disk.freeBytes = 100 * megabyte;
  await segment();
  expect([rows()[0]?.nn, (await records.status({ search: '' })).disk.state]).toEqual([1, 'full']);
  clock.nowMs += 10_000;
  disk.freeBytes = 50_000 * megabyte;
  await segment();
  expect(rows()).toMatchObject([{ nn: 2, state: 'recording' }]);
  const playlist = await records.link(`${rows()[0]?.uuid}.m3u8`);
  expect(playlist).toMatchObject({ text: expect.stringContaining('#EXT-X-DISCONTINUITY') });
});

it('an MP4 is retried when FFmpeg is killed, and keeps its segments when it never succeeds', async () => {
  await close();
  let runs = 0;
  await open({ runFfmpeg: (...run) => (++runs === 1 ? killed() : runFfmpeg(...run)) });
  await segment();
  await records.end(rows()[0]?.uuid ?? '');
  await isDone();
  expect(runs).toBe(2);
  await records.bin.remove(rows()[0]?.uuid ?? '', true, thisServer);
  await close();
  await open({ runFfmpeg: killed });
  await segment();
  const uuid = rows()[0]?.uuid ?? '';
  await records.end(uuid);
  await until(() =>
    expect(rows()).toMatchObject([{ state: 'failed', progress: false, problem: expect.stringContaining('killed') }]),
  );
  expect(await records.link(`${uuid}.m3u8`)).toMatchObject({ kind: 'playlist' });
});

it('a finished MP4 that lacks something is reported and kept', async () => {
  await close();
  // A fake FFmpeg that succeeds but omits the audio.
  const deaf: RunFfmpeg = (args, ...rest) => runFfmpeg([...args.slice(0, -1), '-an', ...args.slice(-1)], ...rest);
  await open({ runFfmpeg: deaf });
  const file = join(dataDir, 's-0-1.ts');
  const source = ['-f', 'mpegts', '-i', 'pipe:0', '-f', 'lavfi', '-i', 'sine=duration=1'];
  const output = ['-c:v', 'copy', '-c:a', 'aac', '-f', 'mpegts', file];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, ...output], { input: clip });
  await report('s-0-1.ts', 0);
  await records.end(rows()[0]?.uuid ?? '');
  await isDone();
  expect(rows()).toMatchObject([
    { state: 'done', problemKind: 'incomplete', problem: expect.stringContaining('the MP4 has no audio') },
  ]);
});

it('a recording continues when its folder was removed manually, and refuses a missing segment', async () => {
  await segment();
  const uuid = rows()[0]?.uuid ?? '';
  await rm(join(dataDir, 'record', uuid), { recursive: true });
  await segment();
  expect((await readdir(join(dataDir, 'record', uuid))).filter((name) => name.endsWith('.ts'))).toHaveLength(1);
  const gone = { vhost: '', app: 'live', stream: 's', m3u8Url: 'live/s.m3u8', url: 'live/x.ts', file: '/nowhere.ts' };
  await expect(records.onSegment({ ...gone, durationSeconds: 1, sequenceNumber: 9 })).rejects.toThrow(
    'the segment file no longer exists',
  );
});

describe('segments that a killed media server created but did not report', () => {
  async function cutUnreported(count: number) {
    const folder = join(dataDir, 'live');
    await mkdir(folder, { recursive: true });
    for (let each = 0; each < count; each++) {
      clock.nowMs += 1_000;
      const file = join(folder, `s-${sequence++}-${clock.nowMs}.ts`);
      await writeFile(file, clip);
      await utimes(file, clock.nowMs / 1000, clock.nowMs / 1000);
    }
    await writeFile(join(folder, `s-${sequence}-${clock.nowMs}.ts.tmp`), clip);
    await writeFile(join(folder, `other-${sequence}-${clock.nowMs}.ts`), clip);
  }

  it('are recorded before those of its successor', async () => {
    await segment();
    await cutUnreported(2);
    await close();
    clock.nowMs += 70_000;
    await open();
    sequence = 0;
    await segment();
    await segment();
    expect(rows()).toMatchObject([{ nn: 5, state: 'recording' }]);
    const playlist = await records.link(`${rows()[0]?.uuid}.m3u8`);
    const places = playlist?.kind === 'playlist' ? playlist.text.match(/\d{3}-\d{6}(?=-)/g) : [];
    expect(places).toEqual(['000-000000', '000-000001', '000-000002', '001-000000', '001-000001']);
  });

  it('are recorded before the next reported one, when this server was down meanwhile', async () => {
    await segment();
    await close();
    await cutUnreported(2);
    await open();
    clock.nowMs += 1_000;
    await segment();
    expect(rows()).toMatchObject([{ nn: 4, state: 'recording' }]);
    const playlist = await records.link(`${rows()[0]?.uuid}.m3u8`);
    const places = playlist?.kind === 'playlist' ? playlist.text.match(/\d{3}-\d{6}(?=-)/g) : [];
    expect(places).toEqual(['000-000000', '000-000001', '000-000002', '000-000003']);
  });

  it('whose report arrives after the operator ended the recording belong to it, and start no other', async () => {
    await segment();
    await cutUnreported(1);
    const name = `s-1-${clock.nowMs}.ts`;
    await records.end(rows()[0]?.uuid ?? '');
    await report(name, 1, join(dataDir, 'live', name));
    await until(() => expect(rows()).toMatchObject([{ nn: 2, state: 'done' }]));
  });

  it('whose report arrives after this server was down as well start no recording but the ended one', async () => {
    await segment();
    await cutUnreported(1);
    const name = `s-1-${clock.nowMs}.ts`;
    await records.end(rows()[0]?.uuid ?? '');
    await isDone();
    await close();
    await open();
    await report(name, 1, join(dataDir, 'live', name));
    expect(rows()).toMatchObject([{ nn: 2, state: 'done' }]);
    sequence = 2;
    await segment();
    expect(rows()).toHaveLength(2);
  });

  it('which were incomplete when the operator ended the recording belong to it, and start no other', async () => {
    await segment();
    await cutUnreported(0);
    const number = sequence++;
    clock.nowMs += 1_000;
    const name = `s-${number}-${clock.nowMs}.ts`;
    const file = join(dataDir, 'live', name);
    await writeFile(`${file}.tmp`, clip);
    const ending = records.end(rows()[0]?.uuid ?? '');
    await delay(100);
    await utimes(`${file}.tmp`, clock.nowMs / 1000, clock.nowMs / 1000);
    await rename(`${file}.tmp`, file);
    await ending;
    await report(name, number, file);
    await until(() => expect(rows()).toMatchObject([{ nn: 2, state: 'done' }]));
  });

  it('that still grow belong to an active publisher, and are not awaited', async () => {
    await segment();
    await cutUnreported(0);
    const file = join(dataDir, 'live', `s-${sequence}-${clock.nowMs}.ts.tmp`);
    let hasEnded = false;
    const ending = records.end(rows()[0]?.uuid ?? '').then(() => {
      hasEnded = true;
    });
    for (let piece = 0; piece < 20 && !hasEnded; piece++) {
      await appendFile(file, clip);
      await delay(30);
    }
    expect(hasEnded).toBe(true);
    await ending;
  });

  it('are recorded when the recording ends, by silence or manually, and only once', async () => {
    await segment();
    await cutUnreported(2);
    await close();
    clock.nowMs += 301_000;
    await open();
    await isDone();
    expect(rows()).toMatchObject([{ nn: 3 }]);
    expect(rows()[0]?.duration).toBeCloseTo(3, 0);
    await segment();
    await cutUnreported(1);
    await close();
    await open();
    await records.end(rows()[0]?.uuid ?? '');
    await until(() => expect(rows()).toMatchObject([{ nn: 2, state: 'done' }, { nn: 3 }]));
  });
});

it('a segment missing in the recording does not stop it', async () => {
  await segment();
  await segment();
  const folder = join(dataDir, 'record', rows()[0]?.uuid ?? '');
  const [first = '', last = ''] = (await readdir(folder)).filter((name) => name.endsWith('.ts')).sort();
  await unlink(join(folder, last));
  await close();
  await open();
  expect(rows()).toMatchObject([{ nn: 1, state: 'recording' }]);
  await segment();
  await unlink(join(folder, first));
  await records.end(rows()[0]?.uuid ?? '');
  await isDone();
});

describe('retention', () => {
  const recordOne = async () => {
    clock.nowMs += 10_000;
    const before = rows().length;
    await segment(0);
    const uuid = rows()[0]?.uuid ?? '';
    await records.end(uuid);
    await until(() => expect(rows().filter(({ state }) => state === 'done')).toHaveLength(before + 1));
    return uuid;
  };

  it('is off at first; by age it removes only finished recordings, reports each, and survives a restart', async () => {
    const old = await recordOne();
    clock.nowMs += 40 * 24 * 3_600_000;
    await records.retention.apply();
    expect(rows()).toHaveLength(1);
    await segment(0);
    clock.nowMs += 2 * 24 * 3_600_000;
    await records.retention.change({ keepDays: 1, maxBytes: 0 }, { ip: '192.0.2.1' });
    await records.retention.apply();
    expect(rows()).toMatchObject([{ state: 'recording' }]);
    await close();
    await open();
    const { keepDays, removals } = await records.retention.current();
    expect(keepDays).toBe(1);
    expect(removals).toMatchObject([{ uuid: old, reason: 'age', app: 'live', stream: 's' }]);
    expect(await readdir(join(dataDir, 'record'))).not.toContain(old);
    expect(records.bin.list()).toEqual([]);
  });

  it('by size it removes the oldest until the rest fits, and a clock that is set back removes nothing', async () => {
    const uuids = [await recordOne(), await recordOne(), await recordOne()];
    const one = (rows()[0]?.size ?? 0) + (rows()[0]?.mp4Size ?? 0);
    clock.nowMs -= 1_000_000_000;
    await records.retention.change({ keepDays: 1, maxBytes: Math.round(one * 1.5) }, thisServer);
    await records.retention.apply();
    expect(rows().map(({ uuid }) => uuid)).toEqual([uuids[2]]);
    const { removals } = await records.retention.current();
    expect(removals.map(({ uuid, reason }) => [uuid, reason])).toEqual([
      [uuids[1], 'size'],
      [uuids[0], 'size'],
    ]);
  });
});

it('a segment reported while the server stops is refused, so that it is reported again', async () => {
  await segment();
  await records.close();
  await expect(segment()).rejects.toMatchObject({ errorName: 'storeNotReady' });
});

it('table and folder can each be rebuilt from the other', async () => {
  await segment();
  await segment();
  const { uuid } = rows()[0] ?? { uuid: '' };
  await records.end(uuid);
  await isDone();
  const before = rows();
  await close();
  const folder = await openRecordFolder(join(dataDir, 'record'));

  // Deletes the description files, which are restored from the table.
  for (const name of ['recording.json', 'index.m3u8']) await unlink(folder.pathOf(uuid, name));
  ({ store } = await openStoreFile(await openDataFolder(dataDir), new Date()));
  const table = () => store.collection(recordCollection);
  expect(await rebuildRecords(folder, table(), { now: new Date(), nodeId: 'a' })).toEqual({
    recordings: 1,
    added: 0,
    removed: 0,
    unfinished: 0,
  });
  expect((await folder.readFacts(uuid))?.stream).toBe('s');
  expect(await readFile(folder.pathOf(uuid, 'index.m3u8'), 'utf8')).toContain('#EXTINF:1.00');

  // Deletes table rows, which are restored from the folder; a row without files is removed.
  await table().remove(uuid);
  const lost = { ...(await folder.readFacts(uuid))!, uuid: '00000000-0000-4000-8000-000000000000' };
  await table().put(lost.uuid, lost);
  // Also deletes the MP4, which is created again.
  await unlink(folder.pathOf(uuid, 'index.mp4'));
  expect(await rebuildRecords(folder, table(), { now: new Date(), nodeId: 'a' })).toEqual({
    recordings: 1,
    added: 1,
    removed: 1,
    unfinished: 1,
  });
  await store.close();
  await open();
  await isDone();
  expect(rows()).toMatchObject(
    before.map(({ uuid: same, nn, duration, size }) => ({ uuid: same, nn, duration, size })),
  );
});

it('rows of another node are not changed while it may be active, and never removed', async () => {
  const folder = await openRecordFolder(join(dataDir, 'record'));
  await segment();
  const { uuid } = rows()[0] ?? { uuid: '' };
  const table = () => store.collection(recordCollection);
  const own = await vi.waitFor(async () => {
    const row = await table().get(uuid);
    expect(row).toMatchObject({ node: 'a', state: 'recording' });
    return row!;
  });
  const elsewhere = { ...own, uuid: '00000000-0000-4000-8000-000000000001', node: 'b' };
  await close();
  ({ store } = await openStoreFile(await openDataFolder(dataDir), new Date()));
  await table().put(uuid, { ...own, node: 'b' });
  await table().put(elsewhere.uuid, elsewhere);
  await store.close();

  await open();
  expect(rows()).toEqual([]);
  await close();
  gone = ['b'];
  await open();
  expect(rows()).toMatchObject([{ uuid }]);
  expect(rows()[0]).not.toHaveProperty('node');
  await close();

  ({ store } = await openStoreFile(await openDataFolder(dataDir), new Date()));
  const { removed } = await rebuildRecords(folder, table(), { now: new Date(), nodeId: 'a' });
  expect([removed, (await table().get(elsewhere.uuid))?.node]).toEqual([0, 'b']);
});

function killed() {
  return Promise.resolve({ ok: false, wasKilled: true, message: '' });
}

it('segments in use stay until five minutes after the last request, although the bucket has the MP4', async () => {
  const bucket = await startBucketServer();
  const now = () => new Date(clock.nowMs);
  const audit = createAuditTrail({ store, log, now });
  const objects = await openObjects({ store, audit, log, now });
  const place = { endpoint: bucket.endpoint, region: '', bucket: serverBucket, pathStyle: true, prefix: '' };
  const typed = { ...place, ...serverKeys, on: true, local: 'remove', delivery: 'server' } as const;
  await objects.change(typed, { actor: thisServer });
  objects.start();
  await records.close();
  records = await openRecords({
    ...{ store, log, now, dataDir, hlsPath: dataDir, audit, objects },
    peers: noPeers,
    nodes: { self: { id: 'a', name: 'a' }, isShared: false, list: () => [], isGone: () => false },
    monotonicMs: () => clock.nowMs,
    measureDisk: async () => disk,
  });
  await segment();
  const row = () => records.files({ search: '', offset: 0, limit: undefined })[0];
  const { uuid = '' } = row() ?? {};
  const link = () => records.link(`${uuid}.m3u8`);
  expect(await link()).toMatchObject({ kind: 'playlist' });
  await records.end(uuid);
  await vi.waitFor(() => expect(row()?.place).toBe('both'), { timeout: 20_000 });
  clock.nowMs += 4 * 60_000;
  await objects.change(typed, { actor: thisServer });
  expect(await link()).toMatchObject({ kind: 'playlist' });
  clock.nowMs += 4 * 60_000;
  await objects.change(typed, { actor: thisServer });
  expect(await link()).toMatchObject({ kind: 'playlist' });
  clock.nowMs += 6 * 60_000;
  await objects.change(typed, { actor: thisServer });
  await vi.waitFor(() => expect(row()?.place).toBe('bucket'), { timeout: 20_000 });
  expect(await link()).toMatchObject({ kind: 'elsewhere' });
  await objects.close();
  await bucket.close();
});
