// Channels: files of different resolutions and codecs become one stream with continuous timestamps.
// The program guide and the log list what plays. The channel survives killed servers and missing files.
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { channelGuidePrefix, endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { type ChannelRig, openChannelRig, stepsOf } from './support/channel-rig.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { exactTimes, packetsOf, probe } from './support/ffprobe.ts';
import { portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let rig: ChannelRig;
beforeAll(async () => {
  product = await startProduct(await portsToReturnTo());
  admin = await setUp(product, 'channel password');
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

/** The playlist of a stream, and its first media playlist if it is a multivariant playlist. */
async function hlsTexts(stream: string): Promise<string[]> {
  const url = `${product.url}/live/${stream}.m3u8`;
  const first = await (await fetch(url)).text();
  const inner = first.split('\n').find((line) => /^[^#].*\.m3u8/.test(line));
  return inner ? [first, await (await fetch(new URL(inner, url))).text()] : [first];
}

const guideOf = (name: string) => fetch(`${product.url}${channelGuidePrefix}${name}`);

describe('a channel', () => {
  it('plays files of different shapes as one stream: no gap, no new configuration, no decode error', async () => {
    const playlist = [
      await rig.inLibrary(rig.clips.film()),
      await rig.inLibrary(rig.clips.upright()),
      await rig.inLibrary(rig.clips.music()),
    ];
    const id = await rig.start('shapes', { playlist: playlist });
    await rig.isPrepared(id);
    const decode = (...input: string[]) =>
      runFfmpeg(['-xerror', '-err_detect', 'explode', ...input, '-map', '0', ...exactTimes, '-f', 'null', '-']);
    const viewers = {
      flv: decode('-i', `${product.url}/live/shapes.flv`),
      rtmp: decode('-i', product.rtmpUrl('shapes')),
      hls: decode('-i', `${product.url}/live/shapes.m3u8`),
    };
    const { received } = await recordSeconds(`${product.url}/live/shapes.flv`, rig.folder, 22);
    expect(stepsOf(packetsOf(received, 'video'))).toEqual([40]);
    expect(stepsOf(packetsOf(received, 'audio'))).toEqual([21, 22]);
    const playlists = await hlsTexts('shapes');
    expect(playlists.at(-1)).toContain('#EXTINF');
    expect(playlists.join('\n')).not.toContain('#EXT-X-DISCONTINUITY');
    await Promise.all(Object.values(viewers).map((viewer) => viewer.sending(100)));
    expect(Object.fromEntries(Object.entries(viewers).map(([name, viewer]) => [name, viewer.log()]))).toEqual({
      ...{ flv: '', rtmp: '', hls: '' },
    });
    const played = (await rig.asRun(id)).reverse().map(({ title }) => title);
    expect(played.length).toBeGreaterThan(4);
    const order = ['film', 'upright', 'music'];
    const last = played.slice(-5);
    for (const [index, title] of last.entries()) {
      if (index > 0) expect(title).toBe(order[(order.indexOf(last[index - 1]!) + 1) % order.length]);
    }
    const { now, next, problems } = await rig.stateOf(id);
    expect(problems).toEqual([]);
    expect(order).toContain(now!.title);
    expect(next!.startsAt).toBe(now!.endsAt);
    const guide = await guideOf('shapes.json');
    expect(guide.headers.get('access-control-allow-origin')).toBeTruthy();
    const { programme } = (await guide.json()) as { programme: { title: string }[] };
    expect(new Set(programme.map(({ title }) => title))).toEqual(new Set(order));
    expect(await (await guideOf('shapes.xml')).text()).toMatch(
      /<programme start="\d{14} \+0000" .*channel="live\/shapes">/,
    );
    expect((await guideOf('unknown.json')).status).toBe(404);
    await admin.call(endpoints.updateWatchRules, {
      rules: [{ pattern: 'live/shapes', mode: 'password', password: 'open me' }],
    });
    expect((await guideOf('shapes.json')).status).toBe(401);
    await admin.call(endpoints.updateWatchRules, { rules: [] });
  }, 240_000);

  it('continues while the control plane is killed, and resumes at its position after the gateway was killed', async () => {
    const playlist = [await rig.inLibrary(rig.clips.film()), await rig.inLibrary(rig.clips.upright())];
    const id = await rig.start('kills', { playlist: playlist });
    await rig.isPrepared(id);
    const recording = recordSeconds(`${product.url}/live/kills.flv`, rig.folder, 15);
    await product.kill('platform');
    await answersAgain(product);
    const { received } = await recording;
    expect(stepsOf(packetsOf(received, 'video'))).toEqual([40]);
    await until('the channel is listed again', async () => (await rig.stateOf(id)).state === 'on-air');
    const before = (await rig.asRun(id)).length;
    await product.kill('gateway');
    const killedAt = Date.now();
    await answersAgain(product);
    await until('the channel is on the air again', async () => (await rig.asRun(id)).length > before);
    const [newest] = await rig.asRun(id);
    expect(Date.parse(newest!.at) - killedAt).toBeLessThan(5_000);
    const { slots } = await admin.call(endpoints.queryProgramme, { id, hours: 1 });
    expect(slots.length).toBeGreaterThan(10);
    const { now } = await rig.stateOf(id);
    await until('the displayed name is the playing one', async () => {
      const [latest] = await rig.asRun(id);
      return latest!.item === (await rig.stateOf(id)).now!.item && now !== null;
    });
  }, 240_000);

  it('plays the next file when one is gone, and reports it', async () => {
    const playlist = [await rig.inLibrary(rig.clips.film()), await rig.inLibrary(rig.clips.upright())];
    const id = await rig.start('gone', { playlist: playlist });
    await rig.isPrepared(id);
    const recording = recordSeconds(`${product.url}/live/gone.flv`, rig.folder, 12);
    for (const name of readdirSync(join(product.dataDir, 'vlive'))) {
      if (name.startsWith((await rig.stateOf(id)).channel.playlist[0]!.source.slice('vlive/'.length))) {
        rmSync(join(product.dataDir, 'vlive', name));
      }
    }
    await until('the missing file is reported', async () => (await rig.stateOf(id)).problems.length > 0);
    expect((await rig.stateOf(id)).problems).toEqual([{ title: 'film', reason: 'missing', detail: '' }]);
    const { received } = await recording;
    const steps = stepsOf(packetsOf(received, 'video'));
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps.at(-1)).toBeLessThan(200);
    await until('only the other file plays', async () => {
      const [first, second] = await rig.asRun(id);
      return first?.title === 'upright' && second?.title === 'upright';
    });
  }, 240_000);

  it('is replaced by a live stream, and continues when that ends', async () => {
    const id = await rig.start('open', { playlist: [await rig.inLibrary(rig.clips.film())] });
    await rig.isPrepared(id);
    const viewer = runFfmpeg(['-i', `${product.url}/live/open.flv`, '-map', '0', '-f', 'null', '-']);
    await viewer.sending(20);
    const encoder = publishTestSource(product.rtmpUrl(`open?${admin.publishQuery}`), { video: {}, audio: {} });
    await encoder.sending(50);
    expect((await rig.stateOf(id)).state).toBe('waiting');
    const own = async () =>
      (await admin.call(endpoints.queryStreams, {})).streams.filter(({ stream }) => stream === 'open');
    expect(await own()).toHaveLength(1);
    await encoder.stop('gracefully');
    await until('the channel is back', async () => (await rig.stateOf(id)).state === 'on-air');
    await viewer.sending(300);
    expect(await own()).toHaveLength(1);
    await viewer.stop();
  }, 240_000);

  it('plays a folder in the order of names, and a weekly break at its minute', async () => {
    mkdirSync(join(product.dataDir, 'films'), { recursive: true });
    copyFileSync(rig.clips.upright(), join(product.dataDir, 'films', '2 second.mp4'));
    copyFileSync(rig.clips.music(), join(product.dataDir, 'films', '1 first.mp3'));
    const soon = new Date(Date.now() + 120_000);
    const at = soon.toISOString().slice(11, 16);
    const pause = { kind: 'break' as const, id: '', source: '', name: 'Pause', minutes: 1 };
    const id = await rig.start('folder', {
      zone: 'UTC',
      playlist: [{ kind: 'folder', id: '', source: '/data/films', name: '', minutes: 0 }],
      weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], at, minutes: 1, item: pause }],
    });
    await rig.isPrepared(id);
    const { slots } = await admin.call(endpoints.queryProgramme, { id, hours: 1 });
    const titles = slots.slice(0, 3).map(({ title }) => title);
    expect(titles).toContain('1 first');
    expect(titles).toContain('2 second');
    const weekly = slots.filter(({ cause }) => cause === 'weekly');
    expect(weekly.map(({ startsAt }) => startsAt.slice(11))).toEqual([`${at}:00.000Z`]);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(weekly[0]!.startsAt) - Date.now()));
    await until('the break is on', async () => (await rig.asRun(id))[0]?.item === weekly[0]!.item);
    const lateMs = Date.parse((await rig.asRun(id))[0]!.at) - Date.parse(weekly[0]!.startsAt);
    // The previous file is played to its end if it ends up to 5 s late.
    expect(Math.abs(lateMs)).toBeLessThan(6_000);
    const seen = await probe(`${product.url}/live/folder.flv`, { seconds: 1 });
    expect(packetsOf(seen, 'video').length).toBeGreaterThan(10);
  }, 300_000);
});
