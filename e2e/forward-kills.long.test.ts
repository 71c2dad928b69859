// Forwards to an external server. FFmpeg, the control plane and the external server are killed in a seeded random order.
import { setTimeout as delay } from 'node:timers/promises';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe } from './support/ffprobe.ts';
import { type Product, startProduct } from './support/product.ts';
import { type RemotePlatform, startRemotePlatform } from './support/remote-platform.ts';
import { ffmpegsWith, forwardRow } from './support/scenario-rows.ts';
import { seeded } from './support/seeded.ts';
import { until } from './support/until.ts';

const seed = 20_261_121;
/** Number of kills: first each victim once, then random victims. */
const rounds = 9;
/** Maximum random delay between two kills, milliseconds. */
const maxKillDelayMs = 1_500;

/** Time within which the row must report a kill, milliseconds. A busy machine needs less than a tenth of this time. */
const reportedWithinMs = 10_000;

let product: Product;
let admin: Admin;
let remote: RemotePlatform;
beforeAll(async () => {
  product = await startProduct({ FORWARD_WITH: 'ffmpeg' });
  remote = await startRemotePlatform();
  admin = await setUp(product, 'kills password');
});
afterAll(async () => {
  await product.remove();
  await remote.remove();
  await stopAllFfmpeg();
});

const kills = {
  ffmpeg: async (pid: number) => void process.kill(pid, 'SIGKILL'),
  platform: () => product.kill('platform'),
  remote: () => remote.kill(),
};

const running = (what: string) =>
  until(`${what}: it runs`, async () => {
    const row = await forwardRow(admin, 'wx');
    return row.state === 'running' && ffmpegsWith(remote.server).includes(row.pid) ? row : undefined;
  });

/** Whether the killed FFmpeg has exited and left the row, and at most one FFmpeg runs. False while calls fail. */
async function isReported(pidBefore: number): Promise<boolean> {
  const row = await forwardRow(admin, 'wx').catch(() => undefined);
  const processes = ffmpegsWith(remote.server);
  return row !== undefined && row.pid !== pidBefore && !processes.includes(pidBefore) && processes.length <= 1;
}

it('has one process and a playable stream after every kill', async () => {
  const random = seeded(seed);
  publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} });
  const target = { platform: 'wx', server: remote.server, secret: 'survives', enabled: true };
  await admin.call(endpoints.forwardSecret, { action: 'update', ...target });
  const names = Object.keys(kills) as (keyof typeof kills)[];
  const times: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const name = round < names.length ? names[round]! : names[Math.floor(random() * names.length)]!;
    const what = `round ${round}, ${name} killed`;
    await delay(random() * maxKillDelayMs);
    const { pid } = await running(what);
    const killedAt = performance.now();
    await kills[name](pid);
    await until(`${what}: its row reports it`, () => isReported(pid));
    const reportedMs = performance.now() - killedAt;
    // A platform that restarts on a busy machine is slow: its time is printed, not checked.
    if (name !== 'platform') expect(reportedMs, what).toBeLessThan(reportedWithinMs);
    if (name === 'remote') await remote.start();
    const row = await running(what);
    times.push(`${name} ${seconds(reportedMs)}/${seconds(performance.now() - killedAt)}`);
    expect(ffmpegsWith(remote.server), what).toEqual([row.pid]);
    const received = await probe(`${remote.server}survives`, { seconds: 1 });
    expect(packetsOf(received, 'video').length, what).toBeGreaterThan(5);
  }
  console.info(`seconds from each kill to a row that reports it/to a stream again: ${times.join(', ')}`);
  await admin.call(endpoints.forwardSecret, { action: 'update', ...target, enabled: false });
  expect(ffmpegsWith(remote.server)).toEqual([]);
});

const seconds = (ms: number) => (ms / 1_000).toFixed(1);
