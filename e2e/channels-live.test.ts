// Live streams on a channel, started by the operator or by the schedule. Scheduled streams may be missing or late.
// A new channel begins with its first file.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type ChannelRig, openChannelRig, stepsOf } from './support/channel-rig.ts';
import { type FfmpegRun, publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

/** Maximum distance between two frames of video or audio at a change, milliseconds. */
const longestStepMs = 200;

let product: Product;
let admin: Admin;
let rig: ChannelRig;
beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'live channel password');
  rig = openChannelRig(product, admin);
});
afterAll(async () => {
  await product?.remove();
  rig?.close();
});
afterEach(async () => {
  await rig.removeAll();
  await stopAllFfmpeg();
});

async function publish(stream: string): Promise<FfmpegRun> {
  const encoder = publishTestSource(product.rtmpUrl(`${stream}?${admin.publishQuery}`), { video: {}, audio: {} });
  await encoder.sending(50);
  return encoder;
}

const live = (source: string, minutes: number) => ({ id: '', kind: 'live' as const, source, name: '', minutes });
const isOnAir = async (id: string) => (await rig.stateOf(id)).live?.isOnAir === true;
const kinds = async (id: string) => (await rig.asRun(id)).map(({ kind }) => kind).reverse();
const decode = (...input: string[]) =>
  runFfmpeg(['-xerror', '-err_detect', 'explode', ...input, '-map', '0', '-f', 'null', '-']);

/**
 * Errors of demuxer and decoder, without messages of FFmpeg's parser (`NULL`).
 * For FLV, the parser keeps the parameter sets from the start of the connection, also when newer parameter sets apply.
 */
function errorsOf(viewer: FfmpegRun): string {
  const lines = viewer
    .log()
    .split('\n')
    .filter((line) => !line.startsWith('[NULL @') && !line.includes('Last message'));
  return lines.join('\n').trim();
}

describe('a live stream that the operator puts on a channel', () => {
  it('replaces the files until the takeover is ended: one clock, no decode error, viewers stay', async () => {
    const id = await rig.start('open', { playlist: [await rig.inLibrary(rig.clips.film(12))] });
    await rig.isPrepared(id);
    await publish('studio');
    const viewers = {
      flv: decode('-i', `${product.url}/live/open.flv`),
      rtmp: decode('-i', product.rtmpUrl('open')),
      hls: decode('-i', `${product.url}/live/open.m3u8`),
    };
    await viewers.flv.sending(20);
    const recording = recordSeconds(`${product.url}/live/open.flv`, rig.folder, 16);
    await admin.call(endpoints.takeOverChannel, { id, stream: 'live/studio' });
    await until('the stream is on the air', () => isOnAir(id));
    expect((await rig.stateOf(id)).live).toEqual({ stream: 'live/studio', cause: 'takeover', isOnAir: true });
    await viewers.flv.sending(150);
    await admin.call(endpoints.giveBackChannel, { id });
    await until('the channel is back', async () => (await rig.stateOf(id)).live === null);
    const { received } = await recording;
    for (const kind of ['video', 'audio'] as const) {
      const steps = stepsOf(packetsOf(received, kind));
      expect(steps[0]).toBeGreaterThan(0);
      expect(steps.at(-1)).toBeLessThanOrEqual(longestStepMs);
    }
    await Promise.all(Object.values(viewers).map((viewer) => viewer.sending(300)));
    expect(Object.fromEntries(Object.entries(viewers).map(([name, viewer]) => [name, errorsOf(viewer)]))).toEqual({
      ...{ flv: '', rtmp: '', hls: '' },
    });
    const played = await kinds(id);
    expect(played.slice(played.indexOf('live') - 1).slice(0, 3)).toEqual(['started', 'live', 'started']);
    const { streams } = await admin.call(endpoints.queryStreams, {});
    expect(streams.filter(({ stream }) => stream === 'open')).toHaveLength(1);
  }, 240_000);

  it('ends when its encoder disconnects; the channel continues, also while the control plane is down', async () => {
    const id = await rig.start('ends', { playlist: [await rig.inLibrary(rig.clips.film(12))] });
    await rig.isPrepared(id);
    const viewer = decode('-i', `${product.url}/live/ends.flv`);
    const encoder = await publish('studio');
    await admin.call(endpoints.takeOverChannel, { id, stream: 'live/studio' });
    await until('the stream is on the air', () => isOnAir(id));
    await product.kill('platform');
    await encoder.stop('abruptly');
    await until('the channel is back', async () => {
      const state = await rig.stateOf(id).catch(() => undefined);
      return state?.live?.isOnAir === false && state.now !== null;
    });
    await viewer.sending(250);
    // The takeover ends after the encoder has been disconnected for 30 seconds.
    await until('the takeover is over', async () => (await rig.stateOf(id)).live === null);
    expect((await kinds(id)).at(-1)).toBe('started');
  }, 240_000);

  it('is refused with the reason: no stream name, its own stream, a channel that is off', async () => {
    const id = await rig.start('refusals', {});
    const takeOver = (stream: string) => admin.call(endpoints.takeOverChannel, { id, stream });
    await expect(takeOver('studio')).rejects.toThrow(/is not the name of a stream: use a name such as live\/studio/);
    await expect(takeOver('live/refusals')).rejects.toThrow(/is the stream of the channel itself/);
    await admin.call(endpoints.switchChannel, { id, enabled: false });
    await expect(takeOver('live/studio')).rejects.toThrow(/is stopped: start it first/);
  });
});

describe('a live stream as an item of a channel', () => {
  it('plays at its time; while it is missing the next item plays, which it interrupts once it is published', async () => {
    const playlist = [live('live/guest', 2), await rig.inLibrary(rig.clips.film(12))];
    await publish('guest').then((encoder) => encoder.stop());
    const id = await rig.start('items', { playlist });
    await until('the missing stream is reported', async () => (await rig.stateOf(id)).live?.isOnAir === false);
    await rig.isPrepared(id);
    await until('the film plays instead', async () => (await kinds(id)).includes('absent'));
    await until('the schedule follows', async () => {
      const { now } = await rig.stateOf(id);
      return now!.title === 'film' && (await rig.asRun(id))[0]!.title === 'film';
    });
    const encoder = await publish('guest');
    await until('the late stream is on the air', () => isOnAir(id));
    expect((await rig.stateOf(id)).live).toMatchObject({ stream: 'live/guest', cause: 'item' });
    const recording = recordSeconds(`${product.url}/live/items.flv`, rig.folder, 10);
    await encoder.stop('abruptly');
    await until('the film continues', async () => (await rig.asRun(id))[0]!.kind === 'started');
    expect((await rig.asRun(id))[0]!.title).toBe('film');
    const { received } = await recording;
    expect(stepsOf(packetsOf(received, 'video')).at(-1)).toBeLessThanOrEqual(longestStepMs);
    expect(stepsOf(packetsOf(received, 'video'))[0]).toBeGreaterThan(0);
  }, 240_000);

  it('is shown at the minute of a weekly entry, from its last keyframe on', async () => {
    await publish('studio');
    const at = new Date(Date.now() + 75_000).toISOString().slice(11, 16);
    const film = await rig.inLibrary(rig.clips.film(12));
    const weekly = [{ days: [1, 2, 3, 4, 5, 6, 7], at, minutes: 1, item: live('live/studio', 0) }];
    const id = await rig.start('weekly', { zone: 'UTC', playlist: [film], weekly });
    await rig.isPrepared(id);
    const slots = (await admin.call(endpoints.queryProgramme, { id, hours: 1 })).slots;
    const slot = slots.find(({ cause }) => cause === 'weekly')!;
    expect(slot.title).toBe('live/studio');
    await until('it is on the air', () => isOnAir(id));
    const entry = (await rig.asRun(id)).find(({ kind }) => kind === 'live')!;
    // A file that ends within 5 s of the scheduled start is played to its end, which delays the stream.
    expect(Math.abs(Date.parse(entry.at) - Date.parse(slot.startsAt))).toBeLessThan(6_000);
  }, 240_000);

  it('needs a maximum duration', async () => {
    await expect(rig.start('endless', { playlist: [live('live/guest', 0)] })).rejects.toThrow(
      /needs a maximum duration/,
    );
  });
});

describe('a new channel', () => {
  it('begins with its first file although the second one is prepared before', async () => {
    const film = await rig.inLibrary(rig.clips.film(12));
    const other = await rig.start('other', { playlist: [await rig.inLibrary(rig.clips.upright())] });
    await rig.isPrepared(other);
    // The first channel has moved the uploaded file into the library.
    const upright = { ...(await rig.stateOf(other)).channel.playlist[0]!, id: '' };
    const id = await rig.start('begins', { playlist: [film, upright] });
    await rig.isPrepared(id);
    await until('both have played', async () => {
      const titles = (await rig.asRun(id)).map(({ title }) => title);
      return titles.includes('film') && titles.includes('upright');
    });
    const [first] = (await rig.asRun(id)).reverse().filter(({ item }) => item !== '');
    expect(first!.title).toBe('film');
    expect((await rig.stateOf(id)).startsWith).toBe('');
  }, 240_000);
});
