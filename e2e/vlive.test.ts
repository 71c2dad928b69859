// Virtual live streams: both kinds of uploads, a repeated playlist in order, files of the server, remote streams.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { endpoints, type MediaSourceItem, resumableUploadPath, uploadPath } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Admin, setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { packetsOf, streamOf } from './support/ffprobe.ts';
import { answersAgain, type Product, startProduct } from './support/product.ts';
import { recordSeconds } from './support/recording.ts';
import { ffmpegsWith, untilState, vliveRow } from './support/scenario-rows.ts';

let product: Product;
let admin: Admin;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-vlive-'));
  product = await startProduct();
  admin = await setUp(product, 'virtual live password');
});
afterAll(async () => {
  await product.remove();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const platform of Object.keys((await admin.call(endpoints.vliveSecret, {})) ?? {})) {
    await admin.call(endpoints.removeVlive, { platform });
  }
  await stopAllFfmpeg();
});

function makeClip(
  name: string,
  colour: string,
  seconds: number,
  encoder: string[] = ['-c:v', 'libx264', '-g', '25'],
): string {
  const file = join(folder, name);
  const picture = [
    '-f',
    'lavfi',
    '-i',
    `color=${colour}:size=320x180:rate=25`,
    '-f',
    'lavfi',
    '-i',
    'sine=sample_rate=44100',
  ];
  const args = [
    '-v',
    'error',
    ...picture,
    '-t',
    String(seconds),
    ...encoder,
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-ac',
    '2',
    '-y',
    file,
  ];
  execFileSync('ffmpeg', args);
  return file;
}

const bearer = () => ({ authorization: `Bearer ${admin.session.bearer}` });

/** Uploads as older consoles do: one multipart call with the name in the path. */
async function upload(file: string): Promise<MediaSourceItem> {
  const name = basename(file);
  const form = new FormData();
  form.append(name, new Blob([readFileSync(file)]), name);
  const response = await fetch(product.url + uploadPath + name, { method: 'POST', body: form, headers: bearer() });
  const { data } = (await response.json()) as { data: { uuid: string; target: string } };
  expect(response.status, JSON.stringify(data)).toBe(200);
  return { name, path: '', size: statSync(file).size, uuid: data.uuid, target: data.target, type: 'upload' };
}

const server = () => `rtmp://127.0.0.1:${product.ports.rtmp}/live/`;
const adopt = (platform: string, files: MediaSourceItem[]) => admin.call(endpoints.vliveSource, { platform, files });
async function goLive(platform: string, stream: string, files: MediaSourceItem[]) {
  const { files: adopted } = await adopt(platform, files);
  const secret = `${stream}?${admin.publishQuery}`;
  await admin.call(endpoints.vliveSecret, {
    action: 'update',
    platform,
    server: server(),
    secret,
    enabled: true,
    files: adopted,
  });
  return untilState('running', () => vliveRow(admin, platform));
}

function brightness(file: string): number[] {
  const filter = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const text = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-vf', filter, '-f', 'null', '-'], {
    encoding: 'utf8',
  });
  return [...text.matchAll(/YAVG=([\d.]+)/g)].map(([, value]) => Number(value));
}

describe('virtual live', () => {
  it('plays an uploaded file repeatedly, copied', async () => {
    const file = await upload(makeClip('loop.mp4', 'gray', 3));
    const row = await goLive('wx', 'looped', [file]);
    expect(row).toMatchObject({ source: file.uuid, transcoded: { video: false, audio: false } });
    expect(row.files[0]).toMatchObject({
      video: { codec_name: 'h264', width: 320 },
      audio: { codec_name: 'aac', channels: 2, sample_rate: '44100' },
    });
    const { received } = await recordSeconds(`${product.url}/live/looped.flv`, folder, 7);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(150);
    expect(streamOf(received, 'audio')).toMatchObject({ codec_name: 'aac', channels: 2 });
    const { pid } = await vliveRow(admin, 'wx');
    await product.kill('platform');
    await answersAgain(product);
    const again = await untilState('running', () => vliveRow(admin, 'wx'));
    expect(again.pid).not.toBe(pid);
    expect(ffmpegsWith(`${server()}looped`)).toEqual([again.pid]);
  });

  it('plays several files in order, and restarts', async () => {
    const files = [await upload(makeClip('black.mp4', 'black', 2)), await upload(makeClip('white.flv', 'white', 3))];
    await goLive('bilibili', 'listed', files);
    const { file } = await recordSeconds(`${product.url}/live/listed.flv`, folder, 13);
    const order = brightness(file).map((value) => (value > 128 ? 'white' : 'black'));
    const runs = order.filter((value, index) => value !== order[index - 1]);
    expect(runs.length).toBeGreaterThanOrEqual(4);
    // Between two black files, the white file plays completely: 75 frames.
    const whites =
      order
        .join(' ')
        .match(/black (?:white )+black/g)
        ?.map((run) => run.split('white').length - 1) ?? [];
    for (const frames of whites) expect(frames).toBeGreaterThan(70);
    for (const frames of whites) expect(frames).toBeLessThan(80);
    expect((await vliveRow(admin, 'bilibili')).transcoded).toEqual({ video: false, audio: false });
  });

  it('encodes what the target does not support, and reports it', async () => {
    const file = await upload(makeClip('mpeg2.ts', 'gray', 3, ['-c:v', 'mpeg2video', '-b:v', '500k']));
    const row = await goLive('kuaishou', 'encoded', [file]);
    expect(row.transcoded).toEqual({ video: true, audio: false });
    const { received } = await recordSeconds(`${product.url}/live/encoded.flv`, folder, 3);
    expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'h264', width: 320, height: 180 });
  });

  it('plays a rotated file upright, and reports that it is encoded', async () => {
    const upright = makeClip('upright.mp4', 'gray', 3);
    const rotated = join(folder, 'rotated.mp4');
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', upright, '-c', 'copy', '-metadata:s:v', 'rotate=90', rotated]);
    const row = await goLive('wx', 'upright', [await upload(rotated)]);
    expect(row).toMatchObject({
      transcoded: { video: true, audio: false },
      files: [{ video: { encodes: 'rotation' } }],
    });
    const { received } = await recordSeconds(`${product.url}/live/upright.flv`, folder, 3);
    expect(streamOf(received, 'video')).toMatchObject({ codec_name: 'h264', width: 180, height: 320 });
  });

  it('accepts a file of the server by its path, as older clients send it', async () => {
    copyFileSync(makeClip('mine.flv', 'gray', 2), join(product.dataDir, 'mine.flv'));
    const url = `${product.url}${endpoints.vliveServerFile.path}?file=/data/mine.flv`;
    const response = await fetch(url, { method: 'POST', headers: bearer() });
    const { data } = (await response.json()) as { data: { name: string; uuid: string; target: string; size: number } };
    expect(data).toMatchObject({ name: 'mine.flv', target: `upload/${data.uuid}.flv` });
    await goLive('vlive-server', 'from-server', [{ ...data, path: '', type: '' }]);
    const { received } = await recordSeconds(`${product.url}/live/from-server.flv`, folder, 4);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(90);
    expect(statSync(join(product.dataDir, 'mine.flv')).size).toBe(data.size);
  });

  it.each([
    ['rtmp', () => `rtmp://127.0.0.1:${product.ports.rtmp}/live/remote`],
    ['http-flv', () => `${product.url}/live/remote.flv`],
    ['hls', () => `${product.url}/live/remote.m3u8`],
  ])('plays a remote stream over %s as live', async (protocol, address) => {
    const publisher = publishTestSource(product.rtmpUrl(`remote?${admin.publishQuery}`), { video: {}, audio: {} });
    await publisher.sending(150);
    const url = `${product.url}${endpoints.vliveStreamUrl.path}?url=${address()}`;
    const response = (await (await fetch(url, { method: 'POST', headers: bearer() })).json()) as {
      data: MediaSourceItem;
    };
    expect(response.data).toMatchObject({ target: address(), size: 0 });
    const row = await goLive('wx', `relay-${protocol}`, [{ ...response.data, type: 'stream' }]);
    expect(row.command).not.toMatch(/stream_loop| -re /);
    expect(row.transcoded).toEqual({ video: false, audio: false });
    const { received } = await recordSeconds(`${product.url}/live/relay-${protocol}.flv`, folder, 2);
    expect(packetsOf(received, 'video').length).toBeGreaterThan(25);
  });

  it('continues an interrupted upload, over a restart of the control plane', async () => {
    const file = makeClip('resumed.mp4', 'gray', 8, ['-c:v', 'mpeg4', '-q:v', '1']);
    const bytes = readFileSync(file);
    const headers = { ...bearer(), 'tus-resumable': '1.0.0' };
    const created = await fetch(product.url + resumableUploadPath, {
      method: 'POST',
      headers: {
        ...headers,
        'upload-length': String(bytes.length),
        'upload-metadata': `filename ${Buffer.from('resumed ünïcode.mp4').toString('base64')}`,
      },
    });
    expect(created.status).toBe(201);
    const location = new URL(created.headers.get('location')!, product.url).href;
    const half = Math.floor(bytes.length / 2);
    const send = (from: number, to: number) =>
      fetch(location, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
        body: bytes.subarray(from, to),
      });
    expect((await send(0, half)).status).toBe(204);
    await product.kill('platform');
    await answersAgain(product);
    const found = await fetch(location, { method: 'HEAD', headers });
    expect(found.headers.get('upload-offset')).toBe(String(half));
    expect((await send(half, bytes.length)).status).toBe(204);
    const uuid = location.split('/').at(-1);
    const { files } = await admin.call(endpoints.queryLibrary, {});
    const received = files.find((each) => each.uuid === uuid)!;
    expect(received).toMatchObject({ name: 'resumed ünïcode.mp4', size: bytes.length, target: `upload/${uuid}.mp4` });
    expect(readFileSync(join(product.dataDir, received.target)).equals(bytes)).toBe(true);
    expect(readdirSync(join(product.dataDir, 'upload/.partial')).filter((name) => !name.endsWith('.json'))).toEqual([]);
    await admin.call(endpoints.removeLibraryFile, { uuid: received.uuid });
  });
});
