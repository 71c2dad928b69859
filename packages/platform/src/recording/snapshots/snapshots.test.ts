// Snapshots with a real keyframe and FFmpeg; a list of streams replaces the media server.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisServer } from '../../actor.ts';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { createAuditTrail } from '../../store/audit-trail.ts';
import { openStoreFile } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { snapshotSize, takeStillImage } from '../../workers/still-image.ts';
import { openSnapshots, type Snapshots, type SnapshotsDeps } from './snapshots.ts';

const log = pino({ level: 'silent' });
const camera = { app: 'live', stream: 'camera-1' };
const door = { app: 'live', stream: 'door' };
let dataDir: string;
let store: Store;
let snapshots: Snapshots;
let clock: { nowMs: number };
let live: { app: string; stream: string }[];
let freeBytes: number;
let keyframe: Buffer | undefined;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'srs-snapshots-'));
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=2048x1152',
    '-frames:v',
    '1',
    '-c:v',
    'libx264',
    '-f',
    'flv',
    '-',
  ];
  keyframe = execFileSync('ffmpeg', ['-loglevel', 'error', ...source], { maxBuffer: 2 ** 24 });
  clock = { nowMs: Date.parse('2026-01-02T03:04:05Z') };
  live = [camera, door];
  freeBytes = 2 ** 40;
  await open();
});
afterEach(async () => {
  await close();
  await rm(dataDir, { recursive: true, force: true });
});

async function open(more: Partial<SnapshotsDeps> = {}) {
  const now = () => new Date(clock.nowMs);
  ({ store } = await openStoreFile(await openDataFolder(dataDir), now()));
  const toStream = ({ app, stream }: typeof camera) =>
    ({ id: `id-${stream}`, app, stream, isPublished: true, video: {} }) as MediaServerStream;
  const server = { listStreams: async () => live.map(toStream), readKeyframe: async () => keyframe };
  snapshots = await openSnapshots({
    ...{ store, audit: createAuditTrail({ store, log, now }), root: join(dataDir, 'snapshots'), now, log },
    ...{ mediaServer: server, ownMediaServer: server },
    takeScreenshot: (bytes, signal) => takeStillImage(bytes, signal, snapshotSize),
    monotonicMs: () => clock.nowMs,
    measureDisk: async () => ({ freeBytes, totalBytes: 2 ** 41 }),
    ...more,
  });
}
async function close() {
  await snapshots.close();
  await store.close();
}

function sizeOf(picture: string): string {
  const input = Buffer.from(picture.replace(/^data:image\/jpeg;base64,/, ''), 'base64');
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', '-'];
  return execFileSync('ffprobe', args, { input, encoding: 'utf8' }).trim();
}

async function pass(seconds: number) {
  for (let each = 0; each < seconds / 5; each++) {
    clock.nowMs += 5_000;
    await snapshots.tick();
  }
}
const count = (source = camera) => snapshots.list(source).length;

it('a snapshot by call: a JPEG of at most 1920 pixels, listed newest first, also after a restart, until it is deleted', async () => {
  const first = await snapshots.take(camera);
  clock.nowMs += 1_000;
  const second = await snapshots.take(camera);
  expect(first).toMatchObject({ at: '2026-01-02T03:04:05.000Z', isTimed: false });
  expect(sizeOf(await snapshots.picture(camera, first.name))).toBe('mjpeg,1920,1080');
  await close();
  await open();
  expect(snapshots.list(camera)).toEqual([second, first]);
  expect(snapshots.timers().streams).toMatchObject([{ ...camera, count: 2, latest: second.at }]);
  await snapshots.remove(camera, first.name, thisServer);
  expect(snapshots.list(camera)).toEqual([second]);
  await expect(snapshots.picture(camera, first.name)).rejects.toThrow('no snapshot');
  await expect(snapshots.picture(camera, '../stream.json')).rejects.toThrow('no snapshot');
  await snapshots.remove(camera, undefined, thisServer);
  expect(await readdir(join(dataDir, 'snapshots'))).toEqual([]);
});

it('a snapshot on a timer: taken at its interval; the newest are kept, also those taken by call', async () => {
  await close();
  await open({ takeScreenshot: async (bytes) => bytes });
  await snapshots.change([{ glob: '/live/camera-*', seconds: 10, keep: 3 }], thisServer);
  const byCall = await snapshots.take(camera);
  await pass(20);
  expect([count(), count(door)]).toEqual([3, 0]);
  const [newest] = snapshots.list(camera);
  await pass(60);
  expect(count()).toBe(4);
  expect(snapshots.list(camera)).toContainEqual(byCall);
  expect(snapshots.list(camera)).not.toContainEqual(newest);
  await snapshots.change([], thisServer);
  await pass(60);
  expect(count()).toBe(4);
  await expect(snapshots.change([{ glob: '/[', seconds: 10, keep: 1 }], thisServer)).rejects.toThrow('[ without a ]');
});

it('a timer takes no snapshots of the renditions of a stream', async () => {
  await close();
  await open({ takeScreenshot: async (bytes) => bytes });
  const rendition = { app: 'live', stream: 'camera-1~720p' };
  live = [camera, rendition];
  await snapshots.change([{ glob: '/live/*', seconds: 10, keep: 3 }], thisServer);
  await pass(20);
  expect([count() > 0, count(rendition)]).toEqual([true, 0]);
});

describe('refused with the reason', () => {
  it('when the stream is not live, or has no keyframe', async () => {
    keyframe = undefined;
    await expect(snapshots.take(camera)).rejects.toThrow('no keyframe yet');
    live = [];
    await expect(snapshots.take(camera)).rejects.toThrow('is not live');
  });

  it('when the disk is full', async () => {
    freeBytes = 2 ** 20;
    await expect(snapshots.take(camera)).rejects.toThrow('the disk is full');
    expect(count()).toBe(0);
  });
});

it('a hundred at once: two FFmpeg run, fifty wait, the others are refused', async () => {
  await close();
  let [running, most] = [0, 0];
  await open({
    takeScreenshot: async (bytes) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return bytes;
    },
  });
  const settled = await Promise.allSettled(Array.from({ length: 100 }, () => snapshots.take(camera)));
  const refused = settled.filter(({ status }) => status === 'rejected');
  expect([most, refused.length, count()]).toEqual([2, 50, 50]);
  expect(new Set(snapshots.list(camera).map(({ name }) => name)).size).toBe(50);
});
