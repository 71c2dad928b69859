// Forward to somebody else's server while FFmpeg, the control plane and that server are killed in a seeded order.
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe } from './support/ffprobe.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { type RemotePlatform, startRemotePlatform } from './support/remote-platform.ts';
import { ffmpegsWith, forwardRow } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

const seed = 20_261_121;
const rounds = 9;
/** Longest random moment between two kills, milliseconds. */
const longestMomentMs = 1_500;

let product: Product;
let admin: Admin;
let remote: RemotePlatform;
beforeAll(async () => {
  product = await startProduct();
  remote = await startRemotePlatform();
  admin = await setUp(product, 'kills password');
});
afterAll(async () => {
  await product.remove();
  await remote.remove();
  await stopAllFfmpeg();
});

/** A generator of numbers from 0 to 1 that is the same in every run (linear congruential). */
function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const kills = {
  ffmpeg: async () => {
    const { pid } = await forwardRow(admin, 'wx');
    if (pid > 0) process.kill(pid, 'SIGKILL');
  },
  platform: async () => {
    await product.kill('platform');
    await answersAgain(product);
  },
  remote: async () => {
    await remote.kill();
    await until('the failure is seen', async () => (await forwardRow(admin, 'wx')).state !== 'running');
    await remote.start();
  },
};

it('has one process and a playable stream after every kill', async () => {
  const random = seeded(seed);
  publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} });
  const target = { platform: 'wx', server: remote.server, secret: 'survives', enabled: true };
  await admin.call(endpoints.forwardSecret, { action: 'update', ...target });
  const names = Object.keys(kills) as (keyof typeof kills)[];
  for (let round = 0; round < rounds; round++) {
    const name = round < names.length ? names[round]! : names[Math.floor(random() * names.length)]!;
    const what = `round ${round}, ${name} killed`;
    await delay(random() * longestMomentMs);
    await kills[name]();
    const row = await until(`${what}: it runs again`, async () => {
      const now = await forwardRow(admin, 'wx');
      return now.state === 'running' && ffmpegsWith(remote.server).includes(now.pid) ? now : undefined;
    });
    expect(ffmpegsWith(remote.server), what).toEqual([row.pid]);
    const received = await probe(`${remote.server}survives`, { seconds: 1 });
    expect(packetsOf(received, 'video').length, what).toBeGreaterThan(5);
  }
  await admin.call(endpoints.forwardSecret, { action: 'update', ...target, enabled: false });
  expect(ffmpegsWith(remote.server)).toEqual([]);
}, 240_000);
