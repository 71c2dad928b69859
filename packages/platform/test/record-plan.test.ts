// Planned recording with real segments and a simulated clock: times of the plan, rules, and the record button.
import type { PlanEntry } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { RecordRig } from '../src/testing/record-rig.ts';

const daily = [1, 2, 3, 4, 5, 6, 7];
const noon: Omit<PlanEntry, 'id'> = {
  ...{ title: 'Noon', glob: '/live/camera-*', repeat: 'weekly', days: daily, date: '', enabled: true },
  ...{ start: '12:00', end: '12:01', zone: 'Europe/Berlin' },
};
const camera = { app: 'live', stream: 'camera-1' };
let rig: RecordRig;

beforeEach(async () => {
  rig = await RecordRig.open();
  at('2026-01-05T11:59:50');
});
afterEach(() => rig.remove());

/** Sets the clock to local time in Berlin in winter. */
function at(local: string) {
  rig.clock.nowMs = Date.parse(`${local}+01:00`);
}

async function live(seconds: number, stream = camera.stream) {
  for (let each = 0; each < seconds; each++) {
    rig.clock.nowMs += 1_000;
    await rig.segment(stream);
  }
}
const plan = () => rig.records.rules.plan;
const states = () => rig.records.planned().map(({ state, recording }) => [state, ...recording]);
const recorded = () => rig.rows().map(({ stream, nn, title }) => [stream, nn, title]);
const ended = () =>
  vi.waitFor(() => expect(rig.rows().every(({ progress }) => !progress)).toBe(true), { timeout: 20_000, interval: 20 });

it('records planned streams at their times only, whole segments at both ends, others by the rules', async () => {
  await plan().save(noon, thisServer);
  expect(states()).toEqual([['waiting']]);
  await live(9);
  expect(recorded()).toEqual([]);
  await live(5);
  expect(states()).toEqual([['running', 'live/camera-1']]);
  await rig.segment('stage');
  await live(60);
  // The recording starts with the segment at 12:00:00 and ends with the segment that ends at 12:01:00.
  expect(recorded()).toContainEqual(['camera-1', 60, 'Noon']);
  expect(recorded()).toContainEqual(['stage', 1, '']);
  expect(states()).toEqual([['waiting']]);
  expect(rig.records.planned()[0]?.next).toEqual({ from: '2026-01-06T11:00:00.000Z', to: '2026-01-06T11:01:00.000Z' });
  at('2026-01-06T12:00:00');
  await live(2);
  expect(recorded().filter(([stream]) => stream === 'camera-1')).toEqual([
    ['camera-1', 2, 'Noon'],
    ['camera-1', 60, 'Noon'],
  ]);
});

it('a report that is late counts at the time of its media', async () => {
  await plan().save(noon, thisServer);
  at('2026-01-05T12:00:30');
  await rig.segment(camera.stream, { reportedAfterMs: 10 * 60_000 });
  expect(recorded()).toEqual([['camera-1', 1, 'Noon']]);
});

it('works while recording of all streams is off, ends a silent stream soon after its time, and survives a restart', async () => {
  await rig.records.rules.apply(false, thisServer);
  await plan().save(noon, thisServer);
  at('2026-01-05T12:00:30');
  await live(3);
  await rig.stop();
  await rig.start();
  await live(3);
  expect(recorded()).toEqual([['camera-1', 6, 'Noon']]);
  at('2026-01-05T12:01:10');
  await ended();
});

describe('the record button of a planned stream', () => {
  it('ends this time only', async () => {
    await plan().save(noon, thisServer);
    at('2026-01-05T12:00:10');
    await live(2);
    await rig.records.recordStream(camera, false, thisServer);
    await live(2);
    await ended();
    expect(recorded()).toEqual([['camera-1', 2, 'Noon']]);
    expect(rig.records.streamRecording(camera)).toMatchObject({ wanted: false, chosen: false });
    at('2026-01-06T12:00:10');
    await live(1);
    expect(recorded()[0]).toEqual(['camera-1', 1, 'Noon']);
    expect(rig.records.streamRecording(camera)).toMatchObject({ wanted: true, chosen: null });
  });

  it('begins early, and the plan takes over the same recording', async () => {
    await plan().save(noon, thisServer);
    await rig.records.recordStream(camera, true, thisServer);
    await live(15);
    expect(recorded()).toEqual([['camera-1', 15, '']]);
    at('2026-01-05T12:01:10');
    await live(1);
    await ended();
  });
});

describe('entries', () => {
  it('that are off or removed leave the stream to the rules; one that is over does not', async () => {
    const once: Omit<PlanEntry, 'id'> = { ...noon, repeat: 'once', days: [], date: '2026-01-04' };
    const { id } = await plan().save(once, thisServer);
    await live(1);
    expect([states(), recorded()]).toEqual([[['over']], []]);
    await plan().save({ ...once, id, enabled: false }, thisServer);
    await live(1);
    expect([states(), recorded()]).toEqual([[['off', 'live/camera-1']], [['camera-1', 1, '']]]);
    await plan().remove(id, thisServer);
    await live(1);
    expect([states(), recorded()]).toEqual([[], [['camera-1', 2, '']]]);
  });

  it('are refused with the reason', async () => {
    await expect(plan().save({ ...noon, glob: '/live/[x' }, thisServer)).rejects.toThrow('has a [ without a ]');
    await expect(plan().save({ ...noon, id: 'other' }, thisServer)).rejects.toThrow('no entry other');
    await expect(plan().remove('other', thisServer)).rejects.toThrow('no entry other');
    for (let each = 0; each < 100; each++) await plan().save(noon, thisServer);
    await expect(plan().save(noon, thisServer)).rejects.toThrow('the recording plan already has 100 entries');
  });
});
