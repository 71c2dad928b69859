// Server and key of a target arrive as typed: the server is the RTMP application, the key is the stream name. An RTMP server of the
// test says what arrived.
import { endpoints } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import { forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let sink: Awaited<ReturnType<typeof startRtmpSink>>;
beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'push keys password');
  sink = await startRtmpSink();
});
afterAll(async () => {
  await sink?.close();
  await product?.remove();
});
afterEach(stopAllFfmpeg);

/** Longest key that platforms give, characters. */
const longestKey = 512;
const targets: readonly [app: string, key: string][] = [
  ['live', 'a/b/c'],
  ['live', 'key?token=a/b&time=1==&sign=x+y%20z'],
  ['live', 'a key with blanks'],
  ['live', '直播/流 №1'],
  ['live', 'k'.repeat(longestKey)],
  ['live', 'show.flv'],
  ['live', 'show.mp4'],
  ['live', 'mp4:show'],
  ['one/two/three', 'key'],
  ['one/two/three/four?vhost=v', 'key/with/levels'],
];

const arrived = (app: string, name: string) =>
  until(`${app} and ${name} arrive with media`, async () =>
    sink.arrived.find((each) => each.app === app && each.name === name && each.mediaCount > 0),
  ).catch((error) => {
    throw new Error(JSON.stringify(sink.arrived), { cause: error });
  });

it('forwards to every key and every depth of a server', async () => {
  await publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} }).sending(20);
  for (const [number, [app, key]] of targets.entries()) {
    const target = {
      platform: `forwarding-${number}`,
      server: `${sink.url}/${app}`,
      secret: key,
      label: key.slice(0, 9),
    };
    await admin.call(endpoints.forwardSecret, { action: 'update', ...target, custom: true, enabled: true });
    const { tcUrl } = await arrived(app, key);
    expect(tcUrl).toBe(`${sink.url}/${app}`);
    await admin.call(endpoints.removeForward, { platform: target.platform });
  }
});

it('takes the key of an SRT server without a stream id as the stream id', async () => {
  await publishTestSource(product.rtmpUrl(`source?${admin.publishQuery}`), { video: {}, audio: {} }).sending(20);
  const secret = `#!::r=remote/by-srt,m=publish,${admin.publishQuery}`;
  const server = `srt://127.0.0.1:${product.ports.srt}`;
  const fields = { action: 'update', platform: 'wx', server, secret, enabled: true, custom: true, label: 'SRT' };
  await admin.call(endpoints.forwardSecret, fields);
  await untilState('running', () => forwardRow(admin, 'wx'));
  await until('the stream is there', async () => {
    const { streams } = await admin.call(endpoints.queryStreams, {});
    return streams.some(({ app, stream }) => app === 'remote' && stream === 'by-srt');
  });
  await admin.call(endpoints.removeForward, { platform: 'wx' });
});
