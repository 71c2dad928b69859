// Local recording of a real clip: no frame is lost or doubled. Recordings are ended during the stream; servers are killed.
import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Endpoint, endpoints, type RecordRow, type RequestOf, recordLinkPrefix } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Admin, call, setUp } from './support/api.ts';
import { framesOfClip } from './support/clips.ts';
import { type FfmpegRun, publishClip, publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors, decodeFrames, isMonotonic, packetsOf, probe } from './support/ffprobe.ts';
import { isQuick, shortened } from './support/length.ts';
import { type Product, startProduct } from './support/product.ts';
import { finished, recording, recordingsOf } from './support/record-rows.ts';
import { shortClip, type TestSource } from './support/test-source.ts';
import { until } from './support/until.ts';

/** One frame of the clip, seconds. */
const frameSeconds = 1 / 24;

let product: Product;
let admin: Admin;

const sources: Readonly<Record<string, TestSource>> = {
  linked: { video: {}, audio: {} },
  twice: { video: {}, audio: {} },
  hevc: { video: { size: '320x180', codec: 'hevc' }, audio: {} },
  opus: { video: { size: '320x180' }, audio: { codec: 'opus' } },
  radio: { audio: {} },
  killed: { video: {}, audio: {} },
};

interface Published {
  readonly stream: string;
  readonly publisher: FfmpegRun;
}
const longTest = test.skipIf(isQuick);
/** Streams that `npm test` records. A whole run also records all other streams. */
const inQuick = new Set(['linked', 'hevc', 'killed']);
/** The streams are published simultaneously before the first test, which saves time. */
const published = new Map<string, Published>();

/** Returns the stream with this name. A second attempt of a test publishes it again. */
function take(name: string): Published {
  const found = published.get(name) ?? publish(name, `${name}-again`);
  published.delete(name);
  return found;
}

function publish(name: string, stream = name): Published {
  const url = ['hevc', 'opus'].includes(name)
    ? product.srtUrl(`live/${stream}`, admin.publishQuery)
    : publishUrl(stream);
  return { stream, publisher: publishTestSource(url, sources[name]!) };
}

beforeAll(async () => {
  product = await startProduct();
  admin = await setUp(product, 'a long first password');
  await admin.call(endpoints.applyRecord, { all: true });
  for (const name of shortened(Object.keys(sources), (each) => inQuick.has(each))) published.set(name, publish(name));
});
afterAll(async () => {
  await stopAllFfmpeg();
  await product?.remove();
});

const link = (path: string) => product.url + recordLinkPrefix + path;
const mp4Of = ({ uuid }: RecordRow) => join(product.dataDir, 'record', uuid, 'index.mp4');
const publishUrl = (stream: string) => product.rtmpUrl(`${stream}?${admin.publishQuery}`);

/** Presentation times in order, seconds after `origin`. */
function presentation(packets: readonly { pts_time: string }[], origin: number): number[] {
  return packets.map(({ pts_time }) => Number(pts_time) - origin).sort((a, b) => a - b);
}

describe('a recorded clip', () => {
  let row: RecordRow;

  beforeAll(async () => {
    await publishClip(publishUrl('clip'), { times: 1 }).exited;
    const wanted = Number(packetsOf(await probe(shortClip), 'video').length) / 24;
    row = await until('the last segment is recorded', async () => {
      const [found] = await recordingsOf(admin, 'clip');
      return found && found.duration > wanted - 0.5 ? found : undefined;
    });
    await admin.call(endpoints.endRecord, { uuid: row.uuid });
    row = await finished(admin, row.uuid);
  });

  test('has every frame of the source once, with audio in sync', async () => {
    const [source, recorded] = await Promise.all([probe(shortClip), probe(mp4Of(row))]);
    expect(row).toMatchObject({ state: 'done', problem: '', app: 'live' });
    const { hashes, errors } = await decodeFrames(mp4Of(row));
    expect(errors).toBe('');
    expect(hashes).toEqual(await framesOfClip(shortClip));
    for (const kind of ['video', 'audio'] as const) {
      expect(isMonotonic(packetsOf(recorded, kind)), kind).toBe(true);
    }
    const sounds = (list: typeof source) => packetsOf(list, 'audio').map(({ data_hash }) => data_hash);
    expect(sounds(recorded)).toEqual(sounds(source));
    // At every packet, the offset between video and audio equals the offset in the source.
    const origin = (list: typeof source) =>
      Math.min(...packetsOf(list, 'video').map(({ pts_time }) => Number(pts_time)));
    for (const kind of ['video', 'audio'] as const) {
      const wanted = presentation(packetsOf(source, kind), origin(source));
      const times = presentation(packetsOf(recorded, kind), origin(recorded));
      const errors = times.map((time, index) => Math.abs(time - (wanted[index] ?? Number.NaN)));
      expect(Math.max(...errors), kind).toBeLessThanOrEqual(frameSeconds);
    }
  });

  test('is served through the public port with ranges, and for HEAD', async () => {
    const url = link(`${row.uuid}/index.mp4`);
    const bytes = readFileSync(mp4Of(row));
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      String(bytes.length),
      'video/mp4',
    ]);
    const part = await fetch(url, { headers: { range: `bytes=1000-${bytes.length - 1001}` } });
    expect([part.status, part.headers.get('accept-ranges')]).toEqual([206, 'bytes']);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(1000, bytes.length - 1000))).toBe(true);
    expect(await decodeErrors(link(`${row.uuid}.m3u8`), { seconds: 3 })).toBe('');
    const poster = await fetch(link(`${row.uuid}/poster.jpg`));
    expect([poster.status, poster.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });
});

test('the segments of a recording are links, not copies', async () => {
  const { publisher, stream } = take('linked');
  const { uuid } = await recording(admin, stream, 2);
  const folder = join(product.dataDir, 'record', uuid);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ts'));
  const links = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).nlink));
  // A segment has a second hard link while it is in the playlist.
  expect(Math.max(...links)).toBe(2);
  await publisher.stop();
  await admin.call(endpoints.endRecord, { uuid });
  await finished(admin, uuid);
});

longTest('ended while the stream is live, continues in a second recording without a gap', async () => {
  const { publisher, stream } = take('twice');
  const first = await recording(admin, stream, 2);
  await admin.call(endpoints.endRecord, { uuid: first.uuid });
  const second = await until('a second recording runs', async () => {
    const row = (await recordingsOf(admin, stream))[0];
    return row && row.uuid !== first.uuid && row.nn >= 2 ? row : undefined;
  });
  await admin.call(endpoints.endRecord, { uuid: second.uuid });
  await publisher.stop();
  const rows = [await finished(admin, first.uuid), await finished(admin, second.uuid)];
  for (const row of rows) {
    const recorded = await probe(mp4Of(row));
    expect(packetsOf(recorded, 'video').length).toBe(Math.round(row.duration * 25));
    expect(await decodeErrors(mp4Of(row))).toBe('');
  }
});

const tagged: readonly (readonly [string, readonly string[]])[] = [
  ['hevc', ['hevc', 'hvc1', 'aac', 'mp4a']],
  // HLS contains audio as AAC, and recordings consist of HLS segments.
  ['opus', ['h264', 'avc1', 'aac', 'mp4a']],
];
test.each(shortened(tagged, ([name]) => inQuick.has(name)))(
  '%s is recorded and tagged as players want it',
  async (name, tags) => {
    const { publisher, stream } = take(name);
    const row = await recording(admin, stream, 2);
    const { uuid } = row;
    await until('its audio is recorded', async () => {
      const folder = dirname(mp4Of(row));
      const newest =
        (await readdir(folder))
          .filter((name) => name.endsWith('.ts'))
          .sort()
          .at(-1) ?? '';
      return (await probe(join(folder, newest))).packets.some(({ codec_type }) => codec_type === 'audio');
    });
    await publisher.stop();
    await admin.call(endpoints.endRecord, { uuid });
    const { streams } = await probe(mp4Of(await finished(admin, uuid)));
    const tagOf = (each: object) => (each as { codec_tag_string?: string }).codec_tag_string;
    expect(streams.flatMap((each) => [each.codec_name, tagOf(each)])).toEqual(tags);
  },
);

longTest('audio alone is recorded', async () => {
  const { publisher, stream } = take('radio');
  const { uuid } = await recording(admin, stream, 2);
  await publisher.stop();
  await admin.call(endpoints.endRecord, { uuid });
  const recorded = await probe(mp4Of(await finished(admin, uuid)));
  expect(recorded.streams.map(({ codec_type }) => codec_type)).toEqual(['audio']);
  expect((await fetch(link(`${uuid}/poster.jpg`))).status).toBe(404);
});

describe('killed with SIGKILL', () => {
  test('the control plane continues the same recording and has lost nothing', async () => {
    const { publisher, stream } = take('killed');
    const { uuid, nn } = await recording(admin, stream, 2);
    await product.kill('platform');
    const after = await until('the recording has continued', async () => {
      const [row] = await recordingsOf(admin, stream).catch(() => []);
      return row && row.nn >= nn + 3 ? row : undefined;
    });
    expect(after.uuid).toBe(uuid);
    await admin.call(endpoints.endRecord, { uuid });
    // The control plane is killed while it finishes the recording. Its next start completes the MP4.
    await product.kill('platform');
    await publisher.stop();
    const row = await finished(admin, uuid);
    const times = packetsOf(await probe(mp4Of(row)), 'video').map(({ pts_time }) => Number(pts_time));
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(times.length).toBe(Math.round(row.duration * 25));
    expect(Math.max(...gaps)).toBeLessThan(2 / 25);
    expect(await decodeErrors(mp4Of(row))).toBe('');
  });
});

/** This must be the last test, because the restarted gateway has other ports. */
longTest('a killed gateway costs at most the open segment; the recorded part is finished', async () => {
  const publisher = publishTestSource(publishUrl('gateway'), { video: {}, audio: {} });
  const { uuid, nn } = await recording(admin, 'gateway', 2);
  await product.kill('gateway');
  await publisher.exited;
  const ask = async <E extends Endpoint>(endpoint: E, request: RequestOf<E>) => {
    const { http } = JSON.parse(readFileSync(join(product.dataDir, 'run/ports.json'), 'utf8'));
    return call({ ...product, url: `http://127.0.0.1:${http}` }, endpoint, request, admin.session.bearer);
  };
  await until('the recording is ended', () =>
    ask(endpoints.endRecord, { uuid }).then(
      () => true,
      () => false,
    ),
  );
  const row = await until('the recording is finished', async () => {
    const rows = await ask(endpoints.queryRecordFiles, { search: uuid });
    return rows.find(({ progress }) => !progress);
  });
  expect(row.nn).toBeGreaterThanOrEqual(nn);
  expect(await decodeErrors(mp4Of(row))).toBe('');
});
