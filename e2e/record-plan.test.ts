// Recording on a plan with real encoders: recordings only within the time of the plan, split into files without a lost frame.
// Labels survive a killed control plane. Snapshots are taken by call and on a timer.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { framesOfClip } from './support/clips.ts';
import { publishClip, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeFrames, packetsOf, probe } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { finished, lastSegmentOf, recording, recordingsOf } from './support/record-rows.ts';
import { shortClip } from './support/test-source.ts';
import { until } from './support/until.ts';

const minuteMs = 60_000;
/** Least remaining time of the plan when the encoders start, milliseconds. The clip has 14 s. */
const leastPlanMs = 30_000;

let product: Product;
let admin: Admin;
let planEndMs: number;

const publishUrl = (stream: string) => product.rtmpUrl(`${stream}?${admin.publishQuery}`);
/** Time of day in UTC, the zone of the plan. */
const clock = (atMs: number) => new Date(atMs).toISOString().slice(11, 16);

beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'a password for the plan');
  await admin.call(endpoints.updateRecordSplit, { maxSeconds: 11, maxBytes: 0 });
  const beginMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  planEndMs = Math.ceil((Date.now() + leastPlanMs) / minuteMs) * minuteMs;
  await admin.call(endpoints.saveRecordPlanEntry, {
    ...{ title: 'Matinee', glob: '/live/planned-*', zone: 'UTC', repeat: 'once' },
    ...{ date: new Date(beginMs).toISOString().slice(0, 10), start: clock(beginMs), end: clock(planEndMs) },
  });
  await admin.call(endpoints.updateSnapshotTimers, { timers: [{ glob: '/live/planned-camera', seconds: 5, keep: 2 }] });
  for (const stream of ['planned-camera', 'other'])
    publishTestSource(publishUrl(stream), { video: { size: '320x180' }, audio: {} });
});
afterAll(async () => {
  await stopAllFfmpeg();
  await product?.remove();
});

test('a clip is split at a keyframe, and the files together have every frame and all audio once', async () => {
  await publishClip(publishUrl('planned-clip'), { times: 1 }).exited;
  await lastSegmentOf(product, admin, 'planned-clip');
  const [second, first] = await until('both files of the clip are recorded', async () => {
    const rows = await recordingsOf(admin, 'planned-clip');
    return rows.length === 2 && rows[0]!.duration + rows[1]!.duration > 13.5 ? rows : undefined;
  });
  expect(second).toMatchObject({ title: 'Matinee', part: { number: 2, first: first!.uuid } });
  await admin.call(endpoints.endRecord, { uuid: second!.uuid });
  const files = [];
  for (const { uuid } of [first!, second!]) {
    expect(await finished(admin, uuid)).toMatchObject({ state: 'done', problem: '' });
    files.push(join(product.dataDir, 'record', uuid, 'index.mp4'));
  }
  const frames = [];
  const audio = [];
  for (const file of files) {
    const { hashes, errors } = await decodeFrames(file);
    expect(errors).toBe('');
    frames.push(...hashes);
    audio.push(...packetsOf(await probe(file), 'audio').map(({ data_hash }) => data_hash));
  }
  expect(frames).toEqual(await framesOfClip(shortClip));
  expect(audio).toEqual(packetsOf(await probe(shortClip), 'audio').map(({ data_hash }) => data_hash));
});

test('title, notes and keep mark of a running recording survive a killed control plane, and are searched', async () => {
  const { uuid } = await recording(admin, 'planned-camera');
  await admin.call(endpoints.updateRecord, { uuid, title: 'Front door', notes: 'Delivery at noon', keep: true });
  await product.kill('platform');
  const [row] = await until('the control plane lists it again', () =>
    admin.call(endpoints.queryRecordFiles, { search: 'noon front', kept: true }).catch(() => undefined),
  );
  expect(row).toMatchObject({ uuid, title: 'Front door', notes: 'Delivery at noon', keep: true });
});

test('a snapshot has the size of the stream, and a timer keeps the newest ones', async () => {
  const camera = { app: 'live', stream: 'planned-camera' };
  const { name } = await admin.call(endpoints.takeSnapshot, camera);
  const { picture } = await admin.call(endpoints.querySnapshotPicture, { ...camera, name });
  const input = Buffer.from(picture.slice('data:image/jpeg;base64,'.length), 'base64');
  const shown = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', '-'];
  expect(execFileSync('ffprobe', shown, { input, encoding: 'utf8' }).trim()).toBe('mjpeg,320,180');
  const timed = async () => {
    const { snapshots } = await admin.call(endpoints.querySnapshots, camera);
    return snapshots.filter(({ isTimed }) => isTimed);
  };
  const before = await until('two timed snapshots exist', async () => {
    const found = await timed();
    return found.length === 2 ? found : undefined;
  });
  await until('a newer one has replaced the oldest', async () => {
    const found = await timed();
    return found.length === 2 && found[1]!.name > before[1]!.name;
  });
});

test('the recording ends with the time of the plan while the stream continues, and other streams are not recorded', async () => {
  const [entry] = (await admin.call(endpoints.queryRecordPlan, {})).entries;
  if (Date.now() < planEndMs) expect(entry).toMatchObject({ state: 'running', next: null });
  await until('the time of the plan is over', async () => {
    const { entries } = await admin.call(endpoints.queryRecordPlan, {});
    return entries[0]!.state === 'over';
  });
  const rows = await until('the recording has ended', async () => {
    const found = await recordingsOf(admin, 'planned-camera');
    return found.every(({ progress }) => !progress) ? found : undefined;
  });
  const { streams } = await admin.call(endpoints.queryStreams, {});
  expect(streams.map(({ stream }) => stream).sort()).toEqual(['other', 'planned-camera']);
  // The recording starts with the first segment in the time of the plan, and ends with the segment that contains the end of the plan.
  const seconds = rows.reduce((sum, { duration }) => sum + duration, 0);
  const newest = rows[0]!;
  expect(Date.parse(newest.begin) + newest.duration * 1000).toBeGreaterThan(planEndMs - 5_000);
  expect(seconds).toBeGreaterThan(10);
  expect(await recordingsOf(admin, 'other')).toEqual([]);
});
