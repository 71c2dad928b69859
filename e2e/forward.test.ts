// Forwards, by the engine and by FFmpeg. The stream arrives unchanged, without lost or duplicated frames.
// A failing target does not affect other targets.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishClip, publishHevc, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, probe, streamOf } from './support/ffprobe.ts';
import { isQuick, shortened } from './support/length.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { ffmpegsWith, forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

const ways = ['engine', 'ffmpeg'] as const;
type Way = (typeof ways)[number];

let product: Product;
let admin: Admin;
let folder: string;
/** The remote platform is simulated by another application (`remote`) of the product. */
const ownServer = () => `rtmp://127.0.0.1:${product.ports.rtmp}/remote/`;
const remoteUrl = (stream: string) => `${ownServer()}${stream}`;

const save = (platform: string, fields: object) =>
  admin.call(endpoints.forwardSecret, { action: 'update', platform, server: ownServer(), enabled: true, ...fields });
const forwardTo = (platform: string, stream: string, fields: object = {}) =>
  save(platform, { secret: `${stream}?${admin.publishQuery}`, ...fields });
const running = (platform: string) => untilState('running', () => forwardRow(admin, platform));

async function listen(onConnection: (socket: Socket) => void): Promise<{ server: Server; url: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `rtmp://127.0.0.1:${(server.address() as AddressInfo).port}/live/` };
}

const longIt = it.skipIf(isQuick);

function useProduct(way: Way): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'srs-stack-forward-'));
    product = await startProduct({ FORWARD_WITH: way });
    admin = await setUp(product, 'forward password');
  });
  afterAll(async () => {
    await product?.remove();
    rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const platform of Object.keys((await admin.call(endpoints.forwardSecret, {})) ?? {})) {
      await admin.call(endpoints.removeForward, { platform });
    }
    await stopAllFfmpeg();
  });
}

describe.each(shortened(ways, (way) => way === 'engine'))('forward with %s', (way) => {
  useProduct(way);

  it('sends the clip unchanged, and stops on request', async () => {
    await publishClip(product.rtmpUrl(`clip?${admin.publishQuery}`)).sending(60);
    await forwardTo('wx', 'arrived', { label: 'Remote', custom: true });
    const row = await running('wx');
    expect(row).toMatchObject({ stream: 'live/clip', label: 'Remote', restarts: 0, reason: 'none' });
    if (way === 'ffmpeg') expect(row.command).toContain('-c copy');
    else expect(row).toMatchObject({ command: '', pid: 0 });
    expect(row.command).not.toContain(admin.publishQuery);
    await until('the progress line is there', async () => (await forwardRow(admin, 'wx')).frame?.log);

    const { received } = await recordSeconds(remoteUrl('arrived'), folder, 3);
    const source = await probe(product.rtmpUrl('clip'), { seconds: 1 });
    for (const kind of ['video', 'audio'] as const) {
      expect(streamOf(received, kind).extradata_hash).toBe(streamOf(source, kind).extradata_hash);
    }
    expect(packetsOf(received, 'video').length).toBeGreaterThan(60);

    const { logs } = await admin.call(endpoints.queryWorkerLogs, { kind: 'forward', platform: 'wx' });
    expect(logs.join('\n')).toContain(way === 'ffmpeg' ? 'Input #0' : 'push: live/clip: running');
    expect(logs.join('\n')).not.toContain(admin.publishQuery.split('=')[1]);

    await forwardTo('wx', 'arrived', { enabled: false });
    expect(await forwardRow(admin, 'wx')).toMatchObject({ state: 'stopped', enabled: false, pid: 0 });
    expect(ffmpegsWith(remoteUrl('arrived'))).toEqual([]);
  });

  it('keeps good targets running while others are refused, unknown, silent, or refuse the key', async () => {
    const silent = await listen(() => undefined);
    const closed = await listen(() => undefined);
    closed.server.close();
    await publishTestSource(product.rtmpUrl(`many?${admin.publishQuery}`), { video: {}, audio: {} }).sending(25);
    await forwardTo('wx', 'good');
    await running('wx');
    await save('forwarding-refused', { server: closed.url, secret: 'key-of-refused' });
    await save('forwarding-unknown', { server: 'rtmp://no-such-host.invalid/live', secret: 'x' });
    await save('forwarding-silent', { server: silent.url, secret: 'x' });
    await save('forwarding-key', { secret: 'wrong-key?secret=wrong' });
    await save('forwarding-name', { stream: 'not-there', secret: 'x' });

    const reasons = [
      ['forwarding-refused', 'connection-refused'],
      ['forwarding-unknown', 'host-unknown'],
      ['forwarding-key', 'publish-rejected'],
      ['forwarding-name', 'source-not-live'],
      ['forwarding-silent', 'timeout'],
    ] as const;
    for (const [platform, reason] of reasons) {
      const row = await until(`${platform} has a reason`, async () => {
        const now = await forwardRow(admin, platform);
        return now.reason === 'none' ? undefined : now;
      });
      expect(row, platform).toMatchObject({ reason });
      expect(row.reasonDetail, platform).not.toBe('');
      expect(row.reasonDetail).not.toContain('key-of-refused');
    }
    expect(await forwardRow(admin, 'wx')).toMatchObject({ state: 'running', restarts: 0 });
    expect(ffmpegsWith(remoteUrl('good'))).toHaveLength(way === 'ffmpeg' ? 1 : 0);
    silent.server.close();
  });

  it('waits while no one publishes, and resumes when the publisher returns', async () => {
    await forwardTo('wx', 'returned', { stream: 'comes-and-goes' });
    await untilState('waiting', () => forwardRow(admin, 'wx'));
    const url = product.rtmpUrl(`comes-and-goes?${admin.publishQuery}`);
    const first = publishTestSource(url, { video: {} });
    await running('wx');
    await first.stop('abruptly');
    await untilState('waiting', () => forwardRow(admin, 'wx'));
    publishTestSource(url, { video: {} });
    await running('wx');
    const { received } = await recordSeconds(remoteUrl('returned'), folder, 2);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(25);
  });

  longIt('sends HEVC over SRT, although its own output becomes the newest stream', async () => {
    await publishHevc(product.srtUrl('live/hevc-srt', admin.publishQuery)).sending(50);
    await save('wx', { server: product.srtUrl('remote/hevc-srt', admin.publishQuery), secret: '' });
    await running('wx');
    const { received } = await recordSeconds(`${product.url}/remote/hevc-srt.m3u8`, folder, 3);
    expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'hevc', width: 320 });
    expect(packetsOf(received, 'video').length).toBeGreaterThan(60);
    expect(await forwardRow(admin, 'wx')).toMatchObject({ stream: 'live/hevc-srt', restarts: 0 });
  });
});

describe.skipIf(isQuick)('forward with FFmpeg alone', () => {
  useProduct('ffmpeg');

  it('forwards HEVC with every FFmpeg version, or reports that the target does not support it', async () => {
    await publishHevc(product.srtUrl('live/hevc', admin.publishQuery)).sending(50);
    await save('wx', { server: product.srtUrl('remote/hevc', admin.publishQuery), secret: '' });
    const row = await running('wx');
    expect(row.command).toContain('/live/hevc.ts');
    const { received } = await recordSeconds(`${product.url}/remote/hevc.m3u8`, folder, 3);
    expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'hevc', width: 320 });
    expect(packetsOf(received, 'video').length).toBeGreaterThan(60);

    // FFmpeg supports HEVC over RTMP since version 6.1; an older FFmpeg must report an error.
    await forwardTo('bilibili', 'hevc-over-rtmp');
    const other = await until('the other has run or failed', async () => {
      const now = await forwardRow(admin, 'bilibili');
      return ['running', 'error', 'retrying'].includes(now.state) ? now : undefined;
    });
    if (other.state !== 'running') expect(other).toMatchObject({ state: 'error', reason: 'codec-unsupported' });
  });

  it('is not reported as running while it sends only the audio of a source with video', async () => {
    await publishHevc(product.srtUrl('live/unread', admin.publishQuery)).sending(50);
    // Without HTTP outputs, FFmpeg reads the stream over RTMP and needs version 6.1 for HEVC.
    await admin.call(endpoints.updateComponent, { name: 'flv', enabled: false });
    await save('wx', { server: product.srtUrl('remote/unread', admin.publishQuery), secret: '' });
    const states = new Set<string>();
    const row = await until('the forward has failed, or FFmpeg supports HEVC', async () => {
      const now = await forwardRow(admin, 'wx');
      states.add(now.state);
      return ['running', 'retrying'].includes(now.state) ? now : undefined;
    });
    await admin.call(endpoints.updateComponent, { name: 'flv', enabled: true });
    if (row.state === 'running') {
      const { received } = await recordSeconds(`${product.url}/remote/unread.m3u8`, folder, 3);
      expect(packetsOf(received, 'video').length).toBeGreaterThan(60);
    } else expect([row.reason, states.has('running')]).toEqual(['no-picture', false]);
  });

  it('restarts after its FFmpeg is killed', async () => {
    await publishTestSource(product.rtmpUrl(`killed?${admin.publishQuery}`), { video: {} }).sending(25);
    await forwardTo('bilibili', 'survivor');
    const { pid } = await running('bilibili');
    process.kill(pid, 'SIGKILL');
    const again = await until('another process runs', async () => {
      const row = await forwardRow(admin, 'bilibili');
      return row.state === 'running' && row.pid !== pid ? row : undefined;
    });
    expect(again.restarts).toBe(1);
    // The heartbeat has one entry per minute. The newest entry may be from the minute after the kill, so any entry is accepted.
    expect(again.heartbeat).toContainEqual(expect.objectContaining({ state: 'retrying', reason: 'killed' }));
    expect(ffmpegsWith(remoteUrl('survivor'))).toEqual([again.pid]);
  });

  it('leaves no orphan and no second process when the control plane is killed', async () => {
    await publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {} }).sending(25);
    await forwardTo('kuaishou', 'single');
    const { pid } = await running('kuaishou');
    await product.kill('platform');
    await answersAgain(product);
    const row = await running('kuaishou');
    expect(row.pid).not.toBe(pid);
    expect(ffmpegsWith(remoteUrl('single'))).toEqual([row.pid]);
    await product.kill('platform');
    await answersAgain(product);
    await forwardTo('kuaishou', 'single', { enabled: false });
    await until('no process is left', () => ffmpegsWith(remoteUrl('single')).length === 0);
  });
});

it('ends its processes with the product', async () => {
  const other = await startProduct({ FORWARD_WITH: 'ffmpeg' });
  try {
    const { publishQuery, call } = await setUp(other, 'another password');
    await publishTestSource(other.rtmpUrl(`last?${publishQuery}`), { video: {} }).sending(25);
    const server = `rtmp://127.0.0.1:${other.ports.rtmp}/remote/`;
    const secret = `ends-with-product?${publishQuery}`;
    await call(endpoints.forwardSecret, { action: 'update', platform: 'wx', server, secret, enabled: true });
    await until('it runs', async () => (await call(endpoints.forwardStreams, {}))[0]?.state === 'running');
    expect(ffmpegsWith(`${server}ends-with-product`)).toHaveLength(1);
    await other.stop();
    expect(ffmpegsWith(`${server}ends-with-product`)).toEqual([]);
  } finally {
    await other.remove();
  }
});
