// A slate while the source is unavailable. Viewers and a target stay connected and decode everything.
// The encoder is killed and returns, also with another resolution or without audio. The control plane is killed meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, runFfmpeg, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type ProbedPacket, packetsOf, probe } from './support/ffprobe.ts';
import { freePort, portsToReturnTo } from './support/free-port.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-slate-'));
  product = await startProduct({ FORWARD_WITH: 'engine', ...(await portsToReturnTo()) });
  admin = await setUp(product, 'slate password');
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

const publish = async (size = '640x360', hasAudio = true) => {
  const source = { video: { size }, ...(hasAudio && { audio: {} }) };
  const encoder = publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), source);
  await encoder.sending(20);
  return encoder;
};
const forward = (platform: string, server: string) =>
  admin.call(endpoints.forwardSecret, {
    ...{ action: 'update', platform, server, secret: 'key', enabled: true, custom: true },
  });
const row = async () => (await admin.call(endpoints.querySlates, {})).streams.find(({ stream }) => stream === 'source');
const ready = () =>
  until('the slate of the source is ready', async () => {
    const found = await row();
    return found?.state === 'ready' && found.onAirMs === undefined;
  });
const onAir = (ms = 0) => until('the slate is on the air', async () => ((await row())?.onAirMs ?? -1) > ms);

/** Decodes the input until the server closes the connection. FFmpeg exits with a code other than 0 after an error. */
const decode = (...input: string[]) =>
  runFfmpeg(['-xerror', '-err_detect', 'explode', ...input, '-map', '0', '-f', 'null', '-']);

function expectNoStepBack(packets: readonly ProbedPacket[]): void {
  const times = packets.map(({ dts_time }) => Number(dts_time));
  expect(times.filter((time, index) => index > 0 && time < times[index - 1]!)).toEqual([]);
}

it('viewers and targets stay connected through every loss of the source and decode everything', async () => {
  await admin.call(endpoints.updateSlates, { enabled: true, afterSeconds: 1, longestMinutes: 1 });
  let encoder = await publish();
  await ready();

  const port = await freePort();
  const file = join(folder, 'target.flv');
  const target = runFfmpeg([
    ...['-xerror', '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/live/key`],
    ...['-map', '0', '-c', 'copy', '-y', file, '-map', '0', '-f', 'null', '-'],
  ]);
  const sink = await startRtmpSink();
  await forward('forwarding-ffmpeg', `rtmp://127.0.0.1:${port}/live`);
  await forward('forwarding-sink', `${sink.url}/live`);
  const viewers = {
    flv: decode('-i', `${product.url}/live/source.flv`),
    rtmp: decode('-i', product.rtmpUrl('source')),
    hls: decode('-i', `${product.url}/live/source.m3u8`),
  };
  await Promise.all([target, ...Object.values(viewers)].map((each) => each.sending(20)));

  // The encoder returns after four seconds of slate.
  await encoder.stop('abruptly');
  await onAir(4_000);
  encoder = await publish();
  await ready();
  // The control plane is killed while the slate is on the air. The encoder returns with another resolution.
  await encoder.stop('gracefully');
  await onAir();
  await product.kill('platform');
  await answersAgain(product);
  await onAir(3_000);
  encoder = await publish('320x180');
  await ready();
  await encoder.stop('abruptly');
  await onAir();
  encoder = await publish('320x180', false);
  await ready();
  await encoder.stop('abruptly');
  await onAir();

  expect(sink.arrived).toHaveLength(1);
  const { streams } = await admin.call(endpoints.queryStreams, {});
  expect(streams.some(({ stream }) => stream === 'source')).toBe(true);
  const readers = Object.entries({ target, ...viewers });
  await Promise.all(readers.map(([, reader]) => reader.sending(300)));
  expect(Object.fromEntries(readers.map(([name, reader]) => [name, reader.log()]))).toEqual({
    ...{ target: '', flv: '', rtmp: '', hls: '' },
  });
  await admin.call(endpoints.updateSlates, { enabled: false });
  await target.exited;
  // FFmpeg reports an error when the server closes an RTMP connection. No further error is allowed.
  expect(target.log()).toMatch(/^rtmp:\S+: Input\/output error\n$/);
  await sink.close();

  const left = await admin.call(endpoints.queryStreams, {});
  expect(left.streams).toEqual([]);

  const received = await probe(file);
  expectNoStepBack(packetsOf(received, 'video'));
  expectNoStepBack(packetsOf(received, 'audio'));
}, 300_000);
