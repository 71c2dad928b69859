// Channels play prepared files as one stream: continuous timestamps, no gap between files, and no interruption by an invalid file.
import { readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { key, makePrepared, openChannels, openFolder, orderOf, stepsOf } from './channel-rig.ts';
import { ffmpeg, until } from './rtmp-server.ts';

function openFiles(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe('a channel', () => {
  it('plays three files without a gap in audio or video, and without a new configuration', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 1.28, 'red');
    const blue = await makePrepared(folder, 'blue', 0.96, 'blue');
    const rig = await openChannels();
    const lines = [red, blue, red, blue].map((file) => ({ file, seconds: file === red ? 1.28 : 0.96 }));
    rig.channels.configure([orderOf(lines, Date.now(), blue)]);
    await rig.played(4_200);
    expect(rig.hostCalls).toEqual(['?secret=x']);
    expect(stepsOf(rig.videoTimes())).toEqual([40]);
    expect(stepsOf(rig.audioTimes())).toEqual([21, 22]);
    expect(new Set(rig.packets.map(({ track }) => track)).size).toBe(2);
    const [row] = rig.channels.snapshots();
    expect(row).toMatchObject({ id: 'news', state: 'on-air', reason: '' });
    expect(row!.events.slice(0, 4).map(({ entry, kind }) => [entry, kind])).toEqual([
      ['e0', 'started'],
      ['e1', 'started'],
      ['e2', 'started'],
      ['e3', 'started'],
    ]);
  });

  it('plays the next file when one is missing, and reports it', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 1.28, 'red');
    const rig = await openChannels();
    const lines = [red, `${folder}/missing.flv`, red].map((file) => ({ file, seconds: 1.28 }));
    rig.channels.configure([orderOf(lines, Date.now(), red)]);
    await rig.played(2_400);
    expect(stepsOf(rig.videoTimes())).toEqual([40]);
    const { events } = rig.channels.snapshots()[0]!;
    const noted = events.map(({ entry, kind }) => `${entry} ${kind}`);
    // Only the first three events are compared, because the last entry may play once more.
    expect(noted.slice(0, 3)).toEqual(['e0 started', 'e1 failed', 'e2 started']);
    expect(events[1]!.detail).toContain('ENOENT');
  });

  it('starts in the middle of a file, at the keyframe before the time', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 3.2, 'red');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: red, seconds: 3.2 }], Date.now() - 2_500, red)]);
    await rig.played(200);
    expect(rig.packets.find(({ track }) => track.kind === 'video')).toMatchObject({ keyframe: true });
    // The second event follows at the end of the file. Less than 1.5 s of the file was left at the start.
    await until(() => rig.channels.snapshots()[0]!.events.length === 2);
    expect(rig.videoTimes().at(-1)! - rig.videoTimes()[0]!).toBeLessThan(1_500);
  });

  it('continues without a cut when the order is renewed, and cuts to a keyframe when it changes', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 8, 'red');
    const blue = await makePrepared(folder, 'blue', 3.2, 'blue');
    const rig = await openChannels();
    // The order starts in the past, as after a slow start of the server.
    const order = orderOf([{ file: red, seconds: 8 }], Date.now() - 400, blue);
    rig.channels.configure([order]);
    await rig.played(600);
    rig.channels.configure([
      {
        // A copy, because every read of the orders creates new objects.
        ...structuredClone(order),
        entries: [
          ...structuredClone(order.entries),
          ...orderOf([{ file: blue, seconds: 3.2 }], order.entries[0]!.endMs, blue).entries,
        ],
      },
    ]);
    await rig.played(1_200);
    expect(stepsOf(rig.videoTimes())).toEqual([40]);
    expect(rig.channels.snapshots()[0]!.events).toHaveLength(1);
    rig.channels.configure([orderOf([{ file: blue, seconds: 3.2, more: { id: 'blue' } }], Date.now(), red)]);
    await until(() => rig.channels.snapshots()[0]!.events.length === 2);
    await rig.played(2_400);
    const steps = stepsOf(rig.videoTimes());
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps.at(-1)).toBeLessThan(200);
    expect(stepsOf(rig.audioTimes()).at(-1)).toBeLessThan(200);
  });

  it('repeats the filler while nothing can be played', async () => {
    const folder = await openFolder();
    const dark = await makePrepared(folder, 'dark', 0.64, 'black');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: `${folder}/none.flv`, seconds: 60 }], Date.now(), dark)]);
    await rig.played(2_000);
    expect(stepsOf(rig.videoTimes())).toEqual([40]);
    expect(stepsOf(rig.audioTimes())).toEqual([21, 22]);
    expect(rig.channels.snapshots()[0]!.events.map(({ kind }) => kind)).toEqual(['failed', 'started']);
  });

  it('waits and retries when even the filler is missing', async () => {
    const folder = await openFolder();
    const rig = await openChannels();
    const none = `${folder}/none.flv`;
    rig.channels.configure([orderOf([{ file: none, seconds: 60 }], Date.now(), none)]);
    await until(() => rig.channels.snapshots()[0]!.events.length >= 2);
    await makePrepared(folder, 'none', 1.28, 'green');
    await rig.played(400);
    // One failure is recorded per second, not per frame.
    expect(rig.channels.snapshots()[0]!.events.length).toBeLessThan(20);
  });

  it('publishes again after it was ended, at the position that is then due', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 8, 'red');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: red, seconds: 8 }], Date.now(), red)]);
    await rig.played(200);
    const { clientId } = rig.server.hub.find(key)!.publisher!;
    expect(rig.server.hub.kick(clientId)).toBe(true);
    expect(rig.channels.snapshots()[0]).toMatchObject({ state: 'waiting', reason: 'kicked' });
    await until(() => rig.channels.snapshots()[0]!.state === 'on-air');
    expect(rig.hostCalls).toEqual(['?secret=x', 'end news', '?secret=x']);
  });

  it('ends its stream and closes its file when it is no longer ordered', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 8, 'red');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: red, seconds: 8 }], Date.now(), red)]);
    await rig.played(200);
    expect(openFiles(folder)).not.toEqual([]);
    rig.channels.configure([]);
    expect(rig.server.hub.isPublished(key)).toBe(false);
    await until(() => openFiles(folder).length === 0);
    expect(rig.hostCalls.at(-1)).toBe('end news');
  });

  it('keeps playing a file that is removed while it plays', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 3.2, 'red');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: red, seconds: 3.2 }], Date.now(), red)]);
    await rig.played(200);
    await rm(red);
    await rig.played(3_000);
    expect(stepsOf(rig.videoTimes())).toEqual([40]);
  });
});

describe('a live stream on the stream of a channel', () => {
  it('takes over until it ends; viewers stay and timestamps never decrease', async () => {
    const folder = await openFolder();
    const red = await makePrepared(folder, 'red', 8, 'red');
    const rig = await openChannels();
    rig.channels.configure([orderOf([{ file: red, seconds: 8 }], Date.now(), red)]);
    await rig.played(400);
    const source = ['-re', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '3', '-c:v', 'libx264'];
    const live = ffmpeg(...source, '-preset', 'ultrafast', '-f', 'flv', `${rig.server.url}/live/news`);
    await until(() => rig.channels.snapshots()[0]!.state === 'waiting');
    expect(rig.server.hub.find(key)!.publisher!.type).toMatch(/fmle|flash/);
    const takenAt = rig.packets.length;
    expect((await live.done).code).toBe(0);
    await until(() => rig.channels.snapshots()[0]!.state === 'on-air');
    const before = rig.packets.length;
    await until(() => rig.packets.length > before + 20);
    expect(before).toBeGreaterThan(takenAt + 40);
    expect(Math.min(...stepsOf(rig.videoTimes()))).toBeGreaterThan(0);
    // While the name was in use, the channel has not tried to publish.
    expect(rig.hostCalls).toEqual(['?secret=x', 'end news', '?secret=x']);
  });
});
