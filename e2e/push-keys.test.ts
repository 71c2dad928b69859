// Server and key of a target arrive as typed: the server is the RTMP application, the key is the stream name.
// A test server for RTMP records both values.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, transcodeDefaults, uploadPath } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { type Product, startProduct } from './support/product.ts';
import { startRtmpSink } from './support/rtmp-sink.ts';
import { forwardRow, untilState } from './support/scenario-rows.ts';
import { until } from './support/until.ts';

let product: Product;
let admin: Admin;
let sink: Awaited<ReturnType<typeof startRtmpSink>>;
const ways = ['engine', 'ffmpeg'] as const;

beforeAll(async () => {
  sink = await startRtmpSink();
});
afterAll(() => sink?.close());
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
/** People paste keys with the slash that separates them from the server. */
const pastedKey = ['/pasted/key', 'pasted/key'] as const;

const arrived = (app: string, name: string) =>
  until(`${app} and ${name} arrive with media`, async () =>
    sink.arrived.find((each) => each.app === app && each.name === name && each.mediaCount > 0),
  ).catch((error) => {
    throw new Error(JSON.stringify(sink.arrived), { cause: error });
  });

function useProduct(way: (typeof ways)[number]): void {
  beforeAll(async () => {
    product = await startProduct({ FORWARD_WITH: way });
    admin = await setUp(product, 'push keys password');
  });
  afterAll(() => product?.remove());
}

describe.each(ways)('forward with %s', (way) => {
  useProduct(way);

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
    const pasted = { platform: 'wx', server: `${sink.url}/live`, secret: pastedKey[0] };
    await admin.call(endpoints.forwardSecret, {
      action: 'update',
      ...pasted,
      label: 'pasted',
      custom: true,
      enabled: true,
    });
    await arrived('live', pastedKey[1]);
    await admin.call(endpoints.removeForward, { platform: 'wx' });
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
});

/** Servers and keys that FFmpeg itself would truncate or change. */
const cutTargets = [
  ['live', 'trans/with/levels?token=a/b'],
  ['vlive/two/three', 'vlive/key?time=1==&sign=x+y'],
] as const;

describe('FFmpeg', () => {
  useProduct('engine');

  it('transcodes to a key with slashes and a query', async () => {
    const [app, secret] = cutTargets[0];
    await publishTestSource(product.rtmpUrl(`livestream?${admin.publishQuery}`), { video: {}, audio: {} }).sending(20);
    const task = {
      ...transcodeDefaults,
      all: true,
      vpreset: 'ultrafast' as const,
      server: `${sink.url}/${app}`,
      secret,
    };
    await admin.call(endpoints.applyTranscode, task);
    expect((await arrived(app, secret)).tcUrl).toBe(task.server);
    await admin.call(endpoints.applyTranscode, { ...task, all: false });
  });

  it('plays virtual live to a server of three levels and a key with a slash', async () => {
    const [app, secret] = cutTargets[1];
    const folder = mkdtempSync(join(tmpdir(), 'srs-stack-push-keys-'));
    const file = join(folder, 'clip.mp4');
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=160x90:rate=25', '-t', '2', '-y', file]);
    const form = new FormData();
    form.append('file', new Blob([readFileSync(file)]), 'clip.mp4');
    rmSync(folder, { recursive: true });
    const headers = { authorization: `Bearer ${admin.session.bearer}` };
    const upload = `${product.url}${uploadPath}clip.mp4`;
    const { data } = (await (await fetch(upload, { method: 'POST', body: form, headers })).json()) as {
      data: { uuid: string; target: string };
    };
    const source = { name: 'clip.mp4', path: '', size: 0, ...data, type: 'upload' as const };
    const { files } = await admin.call(endpoints.vliveSource, { platform: 'wx', files: [source] });
    const server = `${sink.url}/${app}`;
    const fields = { action: 'update', platform: 'wx', server, secret, enabled: true, custom: true, label: 'levels' };
    await admin.call(endpoints.vliveSecret, { ...fields, files });
    expect((await arrived(app, secret)).tcUrl).toBe(server);
    await admin.call(endpoints.removeVlive, { platform: 'wx' });
  });
});
