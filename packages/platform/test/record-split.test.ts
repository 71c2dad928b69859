// A recording that reaches a limit continues in a new file. No frame is lost or doubled between the two files.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { RecordRig } from '../src/testing/record-rig.ts';

const megabyte = 1024 ** 2;
let rig: RecordRig;

beforeEach(async () => {
  rig = await RecordRig.open();
});
afterEach(() => rig.remove());

const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });
const oldestFirst = () => rig.rows().toReversed();
const counts = () => oldestFirst().map(({ nn }) => nn);

async function segments(count: number) {
  for (let each = 0; each < count; each++) {
    await rig.segment();
    rig.clock.nowMs += 1_000;
  }
}

function frames(uuid: string): number {
  const file = join(rig.dataDir, 'record', uuid, 'index.mp4');
  const args = ['-v', 'error', '-count_frames', '-select_streams', 'v', '-show_entries', 'stream=nb_read_frames'];
  return Number(execFileSync('ffprobe', [...args, '-of', 'csv=p=0', file], { encoding: 'utf8' }));
}

it('a part ends after the longest duration; every part shows its position, and the files together contain all frames', async () => {
  await rig.records.split.change({ maxSeconds: 10, maxBytes: 0 }, thisServer);
  await segments(23);
  expect(counts()).toEqual([10, 10, 3]);
  const [first, second, third] = oldestFirst();
  expect(first).not.toHaveProperty('part');
  expect(second?.part).toEqual({ number: 2, first: first?.uuid });
  expect(third?.part).toEqual({ number: 3, first: first?.uuid });
  await rig.records.end(third!.uuid);
  await until(() => expect(oldestFirst().map(({ state }) => state)).toEqual(['done', 'done', 'done']));
  expect(oldestFirst().map(({ uuid }) => frames(uuid))).toEqual([250, 250, 75]);
  const of = (event: string) => rig.events.filter((each) => each.startsWith(event)).length;
  expect([of('on_record_begin'), of('on_record_end')]).toEqual([3, 3]);
});

it('a part ends before the largest size, and immediately when the limit is set while it runs', async () => {
  await segments(4);
  const { size } = rig.rows()[0]!;
  await rig.records.split.change({ maxSeconds: 0, maxBytes: size }, thisServer);
  await segments(5);
  expect(counts()).toEqual([4, 4, 1]);
  await rig.records.split.change({ maxSeconds: 0, maxBytes: 100 * megabyte }, thisServer);
  await segments(5);
  expect(counts()).toEqual([4, 4, 6]);
});

it('the next part has title, notes and keep mark of the previous one', async () => {
  await rig.records.split.change({ maxSeconds: 10, maxBytes: 0 }, thisServer);
  await segments(2);
  const label = { title: 'Finals', notes: 'Court 2', keep: true };
  await rig.records.label(rig.rows()[0]!.uuid, label, thisServer);
  await segments(9);
  expect(oldestFirst()).toMatchObject([label, label]);
  await rig.stop();
  await rig.start();
  expect(oldestFirst()).toMatchObject([label, label]);
});

it('after a restart, the part that was running continues', async () => {
  await rig.records.split.change({ maxSeconds: 10, maxBytes: 0 }, thisServer);
  await segments(12);
  await rig.stop();
  await rig.start();
  await segments(9);
  expect(counts()).toEqual([10, 10, 1]);
  expect(rig.rows()[0]?.part?.number).toBe(3);
});
