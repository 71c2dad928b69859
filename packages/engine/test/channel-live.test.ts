// Live streams on a channel: started and stopped manually, as items of the schedule, missing and late. Viewers see continuous timestamps,
// and each change starts with a keyframe.
import type { Packet } from '@srs-stack/media/packet.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChannelRig, key, makePrepared, openChannels, openFolder, orderOf, stepsOf } from './channel-rig.ts';
import { ffmpeg, type RunningProcess, until } from './rtmp-server.ts';

/** Longest step between two frames at a change of the source, milliseconds. */
const longestStepMs = 200;

function publishGuest(rig: ChannelRig, stream = 'guest'): RunningProcess {
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine=sample_rate=44100'];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p'];
  const running = ffmpeg('-re', ...inputs, ...video, '-c:a', 'aac', '-f', 'flv', `${rig.server.url}/live/${stream}`);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

const isLive = (rig: ChannelRig, stream = 'guest') =>
  until(() => rig.server.hub.liveSource({ ...key, stream }) !== undefined);
const onAir = (rig: ChannelRig) => rig.channels.snapshots()[0]!.live;
const events = (rig: ChannelRig) => rig.channels.snapshots()[0]!.events;
const kinds = (rig: ChannelRig) => events(rig).map(({ kind, entry }) => `${kind} ${entry}`.trim());
const more = async (rig: ChannelRig, frames = 30) => {
  const before = rig.packets.length;
  await until(() => rig.packets.length > before + frames);
};

/** Timestamps continue in both tracks without a gap, and each change of the source starts with a keyframe. */
function expectOneClock(rig: ChannelRig): void {
  for (const times of [rig.videoTimes(), rig.audioTimes()]) {
    const steps = stepsOf(times);
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps.at(-1)).toBeLessThanOrEqual(longestStepMs);
  }
  const frames = rig.packets.filter(({ track }) => track.kind === 'video');
  const changes = frames.filter((frame, index) => index > 0 && frame.track !== frames[index - 1]!.track);
  expect(changes.map(({ keyframe }: Packet) => keyframe)).toEqual(changes.map(() => true));
}

describe('a live stream that the operator puts on the air', () => {
  it('takes over at a keyframe, and is followed by the entry that is due', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 32, 'red');
    const rig = await openChannels();
    const order = orderOf([{ file: red, seconds: 32 }], Date.now(), red);
    rig.channels.configure([order]);
    await rig.played(400);
    publishGuest(rig);
    await isLive(rig);
    rig.channels.configure([{ ...order, takeover: { id: '1', live: 'live/guest' } }]);
    await until(() => onAir(rig) === 'live/guest');
    await more(rig);
    expect(rig.channels.snapshots()[0]).toMatchObject({ state: 'on-air', awaited: '' });
    rig.channels.configure([order]);
    await until(() => onAir(rig) === '');
    await until(() => events(rig).length === 3);
    await more(rig);
    expectOneClock(rig);
    expect(kinds(rig)).toEqual(['started e0', 'live', 'started e0']);
    const [first, live, last] = events(rig);
    expect(live!.detail).toBe('live/guest');
    // The schedule has advanced during the live stream: the file resumes at the keyframe before the scheduled position.
    const dueMs = last!.atMs - order.entries[0]!.startMs;
    expect(first!.offsetMs).toBe(0);
    expect(dueMs - last!.offsetMs).toBeLessThan(1_500);
    expect(rig.server.hub.find({ ...key, stream: 'guest' })?.readerCount).toBe(0);
    // The channel was published once and has not ended.
    expect(rig.hostCalls).toEqual(['?secret=x']);
  });

  it('ends the takeover when it ends, and takes over again when its encoder reconnects', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 32, 'red');
    const rig = await openChannels();
    const order = orderOf([{ file: red, seconds: 32 }], Date.now(), red);
    const guest = publishGuest(rig);
    await isLive(rig);
    rig.channels.configure([{ ...order, takeover: { id: '1', live: 'live/guest' } }]);
    await until(() => onAir(rig) === 'live/guest');
    await more(rig);
    guest.kill('SIGKILL');
    await until(() => onAir(rig) === '');
    await more(rig);
    expect(rig.channels.snapshots()[0]!.awaited).toBe('live/guest');
    publishGuest(rig);
    await until(() => onAir(rig) === 'live/guest');
    await more(rig);
    expect(kinds(rig).slice(-3)).toEqual(['live', 'started e0', 'live']);
    const steps = stepsOf(rig.videoTimes());
    expect([steps[0]! > 0, steps.at(-1)! <= longestStepMs]).toEqual([true, true]);
  });

  it('must not be a channel that shows a live stream itself: two channels cannot show each other', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 8, 'red');
    const rig = await openChannels();
    const order = orderOf([{ file: red, seconds: 8 }], Date.now(), red);
    const other = { ...order, id: 'other', stream: 'other' };
    rig.channels.configure([order, other]);
    await rig.played(400);
    rig.channels.configure([
      { ...order, takeover: { id: '1', live: 'live/other' } },
      { ...other, takeover: { id: '2', live: 'live/news' } },
    ]);
    await until(() => rig.channels.snapshots().some(({ live }) => live !== ''));
    await more(rig, 100);
    expect(rig.channels.snapshots().filter(({ live }) => live !== '')).toHaveLength(1);
    rig.channels.configure([{ ...order, takeover: { id: '3', live: 'live/news' } }, other]);
    await more(rig);
    expect(rig.channels.snapshots()[0]).toMatchObject({ live: '', awaited: 'live/news' });
    expectOneClock(rig);
  });
});

describe('a live stream as an item of the schedule', () => {
  it('is shown at its time from a keyframe on, until its time ends', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 1.28, 'red');
    const blue = await makePrepared(folder, 'blue', 8, 'blue');
    const rig = await openChannels();
    publishGuest(rig);
    await isLive(rig);
    const item = { file: blue, seconds: 3, more: { live: 'live/guest', loops: true } };
    const lines = [{ file: red, seconds: 1.28 }, item, { file: blue, seconds: 8 }];
    rig.channels.configure([orderOf(lines, Date.now(), blue)]);
    await until(() => kinds(rig).includes('started e2'));
    await more(rig);
    expect(kinds(rig)).toEqual(['started e0', 'live e1', 'started e2']);
    const [, live, next] = events(rig);
    expect(Math.abs(next!.atMs - live!.atMs - 3_000)).toBeLessThan(1_000);
    expect(next!.offsetMs).toBe(0);
    expectOneClock(rig);
  });

  it('is skipped while it is not published, and interrupts the next item when it starts late', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 1.28, 'red');
    const blue = await makePrepared(folder, 'blue', 64, 'blue');
    const rig = await openChannels();
    const item = { file: red, seconds: 40, more: { live: 'live/guest', loops: true } };
    const lines = [{ file: red, seconds: 1.28 }, item, { file: blue, seconds: 64 }];
    rig.channels.configure([orderOf(lines, Date.now(), red)]);
    await until(() => kinds(rig).length === 3);
    expect(kinds(rig)).toEqual(['started e0', 'absent e1', 'started e2']);
    const [, absent, next] = events(rig);
    expect(next!.atMs - absent!.atMs).toBeLessThan(1_000);
    expect(rig.channels.snapshots()[0]!.awaited).toBe('live/guest');
    await rig.played(3_000);
    const guest = publishGuest(rig);
    await until(() => kinds(rig).length === 4);
    await more(rig);
    guest.kill('SIGKILL');
    await until(() => kinds(rig).length === 5);
    await more(rig);
    expect(kinds(rig).slice(3)).toEqual(['live e1', 'started e2']);
    // The file resumes at the keyframe before the interruption, although the scheduled time of the file has passed.
    const [, , started, live, resumed] = events(rig);
    const playedMs = live!.atMs - started!.atMs;
    expect(playedMs - resumed!.offsetMs).toBeGreaterThan(-500);
    expect(playedMs - resumed!.offsetMs).toBeLessThan(1_500);
    expectOneClock(rig);
  });

  it('waits with the filler when no file could play instead', async () => {
    const folder = await openFolder();
    const dark = await makePrepared(folder, 'dark', 0.64, 'black');
    const rig = await openChannels();
    const item = (id: string) => ({ file: dark, seconds: 20, more: { id, live: `live/${id}`, loops: true } });
    rig.channels.configure([orderOf([item('one'), item('two')], Date.now(), dark)]);
    await rig.played(2_000);
    expect(kinds(rig)).toEqual(['absent one']);
    publishGuest(rig, 'one');
    await until(() => onAir(rig) === 'live/one');
    await more(rig);
    expect(kinds(rig)).toEqual(['absent one', 'live one']);
    expectOneClock(rig);
  });
});
