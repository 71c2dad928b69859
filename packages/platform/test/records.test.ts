import { execFileSync } from 'node:child_process';
import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileHandoverHeader, fileOfferHeader, recordLinkPrefix } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCallbackTarget } from '../src/testing/callback-target.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let clips: string;
let platform: TestPlatform;
let sent = 0;

beforeAll(async () => {
  clips = await mkdtemp(join(tmpdir(), 'srs-clips-'));
  const make = (name: string, size: string, sound = ['aac']) =>
    execFileSync('ffmpeg', [
      ...['-loglevel', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=6`],
      ...[
        '-f',
        'lavfi',
        '-i',
        'sine=duration=6',
        '-map',
        '0:v',
        '-map',
        '1:a',
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
        '-g',
        '50',
        '-c:a',
        ...sound,
      ],
      ...['-f', 'segment', '-segment_time', '2', '-segment_format', 'mpegts', join(clips, `${name}-%d.mpegts`)],
    ]);
  make('small', '160x90');
  make('large', '320x180');
  make('stereo', '160x90', ['aac', '-ac', '2']);
  make('opus', '160x90', ['libopus']);
  const alone = ['-vn', '-c', 'copy', '-copyts', '-muxdelay', '0', '-streamid', '0:257', '-f', 'mpegts'];
  const clip = join(clips, 'small-0.mpegts');
  execFileSync('ffmpeg', ['-loglevel', 'error', '-copyts', '-i', clip, ...alone, join(clips, 'sound-0.mpegts')]);
});
afterAll(() => rm(clips, { recursive: true, force: true }));

beforeEach(async () => {
  sent = 0;
  platform = await openTestPlatform();
});
afterEach(() => platform.dispose());

/** Simulates the media server: creates the file, posts its report, and removes the file. */
async function report(clip: string, { stream = 's', sequence = sent, keepFile = false } = {}) {
  const name = `${stream}-${sequence}-${1_700_000_000_000 + sent}.ts`;
  sent += 1;
  const folder = join(platform.dataDir, 'hls', 'live');
  await mkdir(folder, { recursive: true });
  await copyFile(join(clips, `${clip}.mpegts`), join(folder, name));
  const response = await repeat(name, stream, sequence);
  if (!keepFile) await unlink(join(folder, name));
  return { ...response, name };
}

function repeat(name: string, stream: string, sequence: number) {
  const body = {
    action: 'on_hls',
    vhost: '__defaultVhost__',
    app: 'live',
    stream,
    file: join(platform.dataDir, 'hls', 'live', name),
    duration: 2,
    url: `live/${name}`,
    m3u8_url: `live/${stream}.m3u8`,
    seq_no: sequence,
  };
  return platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
}

const rows = async (request: object = {}) => (await platform.call('queryRecordFiles', request)).body.data;
const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  platform.app.inject({ method, url: recordLinkPrefix + path, headers });
const finished = (uuid: string) =>
  vi.waitFor(
    async () => {
      const row = (await rows()).find((each: { uuid: string }) => each.uuid === uuid);
      expect(row?.progress).toBe(false);
      return row;
    },
    { timeout: 20_000, interval: 50 },
  );
const probe = (path: string, ...args: string[]) =>
  execFileSync('ffprobe', ['-loglevel', 'error', ...args, '-of', 'csv=p=0', path], { encoding: 'utf8' }).trim();

async function recordClip(clip = 'small') {
  await platform.call('applyRecord', { all: true });
  for (const index of [0, 1, 2]) await report(`${clip}-${index}`);
  const [row] = await rows();
  return row;
}

async function recordWhole(clip = 'small') {
  const { uuid } = await recordClip(clip);
  await platform.call('endRecord', { uuid });
  return finished(uuid);
}

describe('recording', () => {
  it('is off at first, and its rules are stored', async () => {
    const { body } = await platform.call('queryRecord');
    expect(body.data).toEqual({
      ...{ all: false, home: '/data/record', globs: [], processCpDir: '' },
      directory: join(platform.dataDir, 'record'),
    });
    await report('small-0');
    expect(await rows()).toEqual([]);
    await platform.call('applyRecord', { all: true });
    await platform.call('updateRecordGlobs', { globs: ['/live/*', '', '/other/x'] });
    platform = await platform.reopen();
    expect((await platform.call('queryRecord')).body.data).toMatchObject({ all: true, globs: ['/live/*', '/other/x'] });
  });

  it('contains every segment before its report gets a response, and a playlist of them', async () => {
    const row = await recordClip();
    expect(row).toMatchObject({ app: 'live', stream: 's', progress: true, state: 'recording', nn: 3, duration: 6 });
    expect(row.size).toBeGreaterThan(10_000);
    const playlist = await get(`${row.uuid}.m3u8`);
    expect(playlist.headers['content-type']).toBe('application/vnd.apple.mpegurl');
    expect(playlist.body).toBe((await get(`${row.uuid}/index.m3u8`)).body);
    const segments = playlist.body.split('\n').filter((line) => line.startsWith('/'));
    expect(segments).toHaveLength(3);
    expect(playlist.body).not.toContain('DISCONTINUITY');
    const segment = await platform.app.inject({ method: 'GET', url: segments[1] ?? '' });
    expect(segment.headers['content-type']).toBe('video/mp2t');
    expect(segment.rawPayload).toEqual(await readFile(join(clips, 'small-1.mpegts')));
    expect((await get(`${row.uuid}/index.mp4`)).statusCode).toBe(404);
  });

  it('adds no segment twice, sorts late ones, and marks gaps and new numbering', async () => {
    await platform.call('applyRecord', { all: true });
    await report('small-0', { sequence: 5 });
    const { name } = await report('small-2', { sequence: 7, keepFile: true });
    await repeat(name, 's', 7);
    const [{ uuid, nn }] = await rows();
    expect(nn).toBe(2);
    const marks = async () => (await get(`${uuid}.m3u8`)).body.match(/DISCONTINUITY|(?<=\/)\d{3}-\d{6}/g);
    expect(await marks()).toEqual(['000-000005', 'DISCONTINUITY', '000-000007']);
    await report('small-1', { sequence: 6 });
    expect((await marks())?.filter((mark) => mark !== 'DISCONTINUITY')).toEqual([
      '000-000005',
      '000-000006',
      '000-000007',
    ]);
    await report('small-0', { sequence: 0 });
    expect((await marks())?.slice(-2)).toEqual(['DISCONTINUITY', '001-000000']);
  });

  it('becomes an MP4 with every frame, ready to seek', async () => {
    const { uuid, mp4Size } = await recordWhole();
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    expect((await stat(path)).size).toBe(mp4Size);
    expect(probe(path, '-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets')).toMatch(
      /^h264,150\naac,2\d\d$/,
    );
    const bytes = await readFile(path);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    const part = await get(`${uuid}/index.mp4`, { range: 'bytes=4-7' });
    expect([part.statusCode, part.body, part.headers['content-range'], part.headers['content-type']]).toEqual([
      206,
      'ftyp',
      `bytes 4-7/${mp4Size}`,
      'video/mp4',
    ]);
    expect((await get(`${uuid}/index.mp4`)).rawPayload).toEqual(bytes);
    const head = await get(`${uuid}/index.mp4?download=1`, {}, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, String(mp4Size), '']);
    expect(head.headers['content-disposition']).toContain('attachment; filename="s-2026-01-02T03-04-05');
    expect((await get(`${uuid}/index.mp4`, { range: `bytes=${mp4Size}-` })).statusCode).toBe(416);
    const again = await get(`${uuid}/index.mp4`, { 'if-none-match': String(head.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const poster = await get(`${uuid}/poster.jpg`);
    expect([poster.headers['content-type'], poster.rawPayload.readUInt16BE(0)]).toEqual(['image/jpeg', 0xffd8]);
  });

  it('is one file when the video changes its size, and signals the change to players', async () => {
    const { uuid } = await recordClip('small');
    for (const index of [0, 1]) await report(`large-${index}`);
    expect((await rows()).map(({ nn, state }: { nn: number; state: string }) => [nn, state])).toEqual([
      [5, 'recording'],
    ]);
    expect((await get(`${uuid}.m3u8`)).body.match(/DISCONTINUITY|(?<=\d{3}-)\d{6}-/g)?.slice(3, 5)).toEqual([
      'DISCONTINUITY',
      '000003-',
    ]);
    await platform.call('endRecord', { uuid });
    const { duration, state } = await finished(uuid);
    expect([duration, state]).toEqual([10, 'done']);
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    expect(probe(path, '-select_streams', 'v', '-show_entries', 'stream=codec_tag_string')).toBe('avc3');
    const widths = probe(path, '-select_streams', 'v', '-show_entries', 'frame=width').match(/\d+/g);
    expect([widths?.length, new Set(widths)]).toEqual([250, new Set(['160', '320'])]);
    const files = await readdir(join(platform.dataDir, 'record', uuid));
    expect(files.filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('converts audio that changes, so that all of it is audible', async () => {
    const { uuid } = await recordClip('small');
    for (const index of [0, 1]) await report(`stereo-${index}`);
    await platform.call('endRecord', { uuid });
    expect(await finished(uuid)).toMatchObject({ duration: 10, state: 'done', problem: '' });
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    const output = execFileSync(
      'ffmpeg',
      ['-i', path, '-map', '0:a', '-af', 'silencedetect=n=-40dB:d=0.3', '-f', 'null', '-'],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    expect(output).not.toContain('silence_start');
    expect(Number(probe(path, '-select_streams', 'a', '-show_entries', 'stream=duration'))).toBeCloseTo(10, 0);
  });

  it('contains video that starts late at its position', async () => {
    await platform.call('applyRecord', { all: true });
    for (const clip of ['sound-0', 'small-1', 'small-2']) await report(clip);
    const [{ uuid }] = await rows();
    await platform.call('endRecord', { uuid });
    expect(await finished(uuid)).toMatchObject({ duration: 6, state: 'done', problem: '' });
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    const times = probe(path, '-select_streams', 'v', '-show_entries', 'packet=pts_time').split('\n').map(Number);
    expect(times).toHaveLength(100);
    expect(Math.min(...times)).toBeCloseTo(2, 0);
    expect(Number(probe(path, '-select_streams', 'a', '-show_entries', 'stream=duration'))).toBeCloseTo(6, 0);
  });

  it('continues in a new recording with another codec, because a file cannot contain both', async () => {
    const { uuid } = await recordClip('small');
    platform.clock.nowMs += 6_000;
    await report('opus-0');
    expect(await finished(uuid)).toMatchObject({ nn: 3, state: 'done' });
    expect((await rows()).map(({ nn }: { nn: number }) => nn)).toEqual([1, 3]);
  });

  it('keeps every frame when the media server restarted its numbers and times', async () => {
    // Times run to 6 s, restart at zero, and run to 6 s again. FFmpeg itself detects only larger jumps.
    const { uuid } = await recordClip();
    for (const index of [0, 1, 2]) await report(`small-${index}`, { sequence: index });
    expect((await get(`${uuid}.m3u8`)).body.match(/DISCONTINUITY/g)).toHaveLength(1);
    await platform.call('endRecord', { uuid });
    const { duration } = await finished(uuid);
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    expect(duration).toBe(12);
    const times = probe(path, '-select_streams', 'v', '-show_entries', 'packet=dts_time').split('\n').map(Number);
    expect(times).toHaveLength(300);
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeCloseTo(299 / 25, 0);
  });

  it('keeps Opus unchanged', async () => {
    const { uuid, state } = await recordWhole('opus');
    const path = join(platform.dataDir, 'record', uuid, 'index.mp4');
    expect([state, probe(path, '-show_entries', 'stream=codec_name')]).toEqual(['done', 'h264\nopus']);
  });

  it('continues in a new recording after it was ended, and refuses to end one twice', async () => {
    const { uuid } = await recordClip();
    await platform.call('endRecord', { uuid });
    expect((await platform.call('endRecord', { uuid })).body.data.name).toBe('notFound');
    await report('small-0');
    expect(await rows()).toHaveLength(2);
    await finished(uuid);
  });

  it('respects the name filters', async () => {
    await platform.call('applyRecord', { all: true });
    await platform.call('updateRecordGlobs', { globs: ['/live/cam?', '/x/*'] });
    await report('small-0', { stream: 'cam1' });
    await report('small-0', { stream: 'cam22' });
    expect((await rows()).map(({ stream }: { stream: string }) => stream)).toEqual(['cam1']);
    const refusal = await platform.call('updateRecordGlobs', { globs: ['/live/[a'] });
    expect([refusal.status, refusal.body.data.name]).toEqual([400, 'invalidRequest']);
  });

  it('copies finished files to the configured folder before it reports the end', async () => {
    await mkdir(join(platform.dataDir, 'srs-s3-bucket'));
    const set = (postCpDir: string) =>
      platform.call('updateRecordPostProcessing', { postProcess: 'post-cp-file', postCpDir });
    for (const folder of ['/etc', '../outside', '/data/nowhere', './containers/data/../../etc', '/database']) {
      expect((await set(folder)).body.data.name, folder).toBe('fileNotFound');
    }
    expect((await platform.call('updateRecordPostProcessing', { postProcess: 'rm' })).status).toBe(400);
    expect((await set('./containers/data/srs-s3-bucket')).status).toBe(200);
    const { uuid, problem } = await recordWhole();
    expect(problem).toBe('');
    await access(join(platform.dataDir, 'srs-s3-bucket', `${uuid}.mp4`));
  });
});

it('notifies the callback target of the begin, and of the end when the MP4 exists', async () => {
  const target = await startCallbackTarget();
  try {
    await platform.call('applyHooks', { all: true, target: target.url, opaque: 'o', host: 'https://live.example' });
    const [begins, ends] = [target.next('on_record_begin'), target.next('on_record_end')];
    const { uuid } = await recordClip();
    expect((await begins).body).toMatchObject({ app: 'live', stream: 's', uuid, opaque: 'o' });
    await platform.call('endRecord', { uuid });
    const { body } = await ends;
    expect(body).toMatchObject({
      uuid,
      artifact_code: 0,
      artifact_path: `/data/record/${uuid}/index.mp4`,
      artifact_url: `https://live.example${recordLinkPrefix}${uuid}/index.mp4`,
    });
    expect((await get(new URL(body.artifact_url).pathname.slice(recordLinkPrefix.length))).statusCode).toBe(200);
    expect((await rows())[0].progress).toBe(false);
  } finally {
    await target.close();
  }
});

describe('deleting', () => {
  it('moves to the bin, and back', async () => {
    const { uuid } = await recordWhole();
    await platform.call('removeRecord', { uuid });
    expect(await rows()).toEqual([]);
    expect((await get(`${uuid}/index.mp4`)).statusCode).toBe(404);
    expect((await platform.call('queryRecordBin')).body.data).toMatchObject([
      { uuid, removedAt: '2026-01-02T03:04:05.000Z', purgeAt: '2026-01-03T03:04:05.000Z' },
    ]);
    platform = await platform.reopen();
    await platform.call('restoreRecord', { uuid });
    expect((await rows())[0]).toMatchObject({ uuid, state: 'done' });
    expect((await get(`${uuid}/index.mp4`)).statusCode).toBe(200);
    await platform.call('removeRecord', { uuid });
    await platform.call('emptyRecordBin');
    expect((await readdir(join(platform.dataDir, 'record', '.bin'))).length).toBe(0);
    expect((await platform.call('restoreRecord', { uuid })).status).toBe(404);
  });

  it('works on a running recording, and the stream continues in a new one', async () => {
    const { uuid } = await recordClip();
    await platform.call('removeRecord', { uuid, forever: true });
    expect(await readdir(join(platform.dataDir, 'record'))).toEqual(['.bin']);
    await report('small-0');
    expect((await rows())[0].uuid).not.toBe(uuid);
  });

  it.each(['nonsense', '../../config', '00000000-0000-4000-8000-000000000000', ''])('refuses %j', async (uuid) => {
    expect((await platform.call('removeRecord', { uuid })).status).toBeGreaterThanOrEqual(400);
    expect((await platform.call('endRecord', { uuid })).status).toBeGreaterThanOrEqual(400);
  });
});

describe('links', () => {
  it('give no access outside the folder of a recording', async () => {
    const { uuid } = await recordWhole();
    await writeFile(join(platform.dataDir, 'secret.ts'), 'secret');
    for (const path of [
      `${uuid}/../../config/.env`,
      `${uuid}/..%2f..%2fsecret.ts`,
      `record/${uuid}/..%2f..%2f..%2fsecret.ts`,
      `record/${uuid}/secret.ts`,
      `${uuid}/recording.json`,
      `.bin/${uuid}/index.mp4`,
      `${uuid}/index.mp4%00.jpg`,
      'record/../secret.ts',
      `${'a'.repeat(36)}.m3u8`,
      '',
    ]) {
      const response = await get(path);
      expect(response.statusCode, path).toBeGreaterThanOrEqual(400);
      expect(response.body).not.toContain('secret\n');
    }
  });

  it('let the gateway send the bytes of a file if it offers to, while every rule is checked here', async () => {
    const { uuid, mp4Size } = await recordWhole();
    const offer = { [fileOfferHeader]: '1' };
    const ask = async (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
      const response = await get(path, { ...offer, ...headers }, method);
      return [response.statusCode, response.headers[fileHandoverHeader], response.body];
    };
    const path = encodeURIComponent(`record/${uuid}/index.mp4`);
    const whole = `0-${mp4Size} ${path}`;
    expect(await ask(`${uuid}/index.mp4`)).toEqual([200, whole, '']);
    expect(await ask(`${uuid}/index.mp4`, { range: 'bytes=4-7' })).toEqual([206, `4-8 ${path}`, '']);
    expect(await ask(`${uuid}/index.mp4`, { range: 'bytes=4-7', 'if-range': '"other"' })).toEqual([200, whole, '']);
    expect(await ask(`${uuid}/index.mp4`, { range: `bytes=${mp4Size}-` })).toEqual([416, undefined, '']);
    expect(await ask(`${uuid}/index.mp4`, {}, 'HEAD')).toEqual([200, undefined, '']);
    const { headers } = await get(`${uuid}/index.mp4`, offer);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
    });
    expect(await ask(`${uuid}/index.mp4`, { 'if-none-match': String(headers.etag) })).toEqual([304, undefined, '']);
    const [segment = ''] = (await get(`${uuid}.m3u8`, offer)).body.match(/record\/[0-9a-f-]{36}\/[^\n]+\.ts/) ?? [];
    expect((await ask(segment)).slice(0, 2)).toEqual([200, expect.stringContaining(encodeURIComponent(segment))]);
    await unlink(join(platform.dataDir, 'record', uuid, 'index.mp4'));
    expect((await ask(`${uuid}/index.mp4`)).slice(0, 2)).toEqual([404, undefined]);
  });

  it('are refused to clients without playback authorization for the stream', async () => {
    const target = await startCallbackTarget();
    await platform.call('applyHooks', { all: true, target: target.url, host: 'http://stack.test' });
    await platform.call('createWatchKey');
    await platform.call('updateWatchRules', { rules: [{ pattern: 'live/s', mode: 'signed' }] });
    const { uuid } = await recordWhole();
    const paths = [`${uuid}.m3u8`, `${uuid}/index.m3u8`, `${uuid}/index.mp4`, `${uuid}/poster.jpg`];
    for (const path of paths) expect((await get(path)).statusCode, path).toBe(401);
    expect((await get(`${uuid}/index.mp4?watch=k1.4000000000.${'0'.repeat(64)}`)).statusCode).toBe(403);
    const { query } = (await platform.call('createWatchLink', { pattern: 'live/s', seconds: 60 })).body.data;
    for (const path of paths) expect((await get(`${path}?${query}`)).statusCode, path).toBe(200);
    const [segment = ''] = (await get(`${uuid}.m3u8?${query}`)).body.match(/^(?!#).+$/gm) ?? [];
    expect(segment).toContain(`?${query}`);
    expect((await platform.app.inject({ url: segment })).statusCode).toBe(200);
    expect((await platform.app.inject({ url: segment.split('?')[0]! })).statusCode).toBe(401);
    // The query that authorizes playback is sent to the console, and to the service that is notified of a finished recording.
    const [row] = await rows();
    expect((await get(`${uuid}/index.mp4?${row.watchQuery}`)).statusCode).toBe(200);
    const endCallback = () => target.received.find(({ body }) => body.action === 'on_record_end');
    const { body } = await vi.waitFor(() => endCallback() ?? expect.unreachable('no callback yet'));
    const link = new URL(String(body.artifact_url));
    expect((await platform.app.inject({ url: `${link.pathname}${link.search}` })).statusCode).toBe(200);
    await target.close();
  });

  it('an authorization for a recording by a service does not apply to the live stream', async () => {
    const target = await startCallbackTarget();
    await platform.call('applyHooks', { all: true, target: target.url });
    await platform.call('updateWatchRules', { rules: [{ pattern: 'live/s', mode: 'verdict' }] });
    const { uuid } = await recordWhole();
    const [segment = ''] = (await get(`${uuid}.m3u8?guest=1`)).body.match(/^(?!#).+$/gm) ?? [];
    const playCallbacks = () => target.received.filter(({ body }) => body.action === 'on_play').length;
    expect(playCallbacks()).toBe(1);
    platform.clock.nowMs += 7_200_000;
    expect((await platform.app.inject({ url: segment })).statusCode).toBe(200);
    expect(playCallbacks()).toBe(1);
    const body = { action: 'on_play', vhost: '__defaultVhost__', app: 'live', stream: 's', client_id: 'c' };
    const viewer = { ...body, ip: '203.0.113.7', param: segment.slice(segment.indexOf('?')) };
    await platform.call('verifyStream', viewer, { 'x-callback-secret': testCallbackSecret });
    expect(playCallbacks()).toBe(2);
    await target.close();
  });

  it('need no credential, but calls do', async () => {
    const { uuid } = await recordWhole();
    expect((await get(`${uuid}.m3u8`)).statusCode).toBe(200);
    expect((await platform.call('queryRecordFiles', {}, {})).status).toBe(401);
  });
});

describe('lists', () => {
  it('search, page and count', async () => {
    await platform.call('applyRecord', { all: true });
    for (const stream of ['alpha', 'beta', 'gamma']) {
      await report('small-0', { stream });
      platform.clock.nowMs += 60_000;
    }
    const names = async (request: object) => (await rows(request)).map(({ stream }: { stream: string }) => stream);
    expect(await names({})).toEqual(['gamma', 'beta', 'alpha']);
    expect(await names({ offset: 1, limit: 1 })).toEqual(['beta']);
    expect(await names({ search: 'LIVE/a' })).toEqual(['alpha']);
    const { data } = (await platform.call('queryRecordStatus', { search: 'beta' })).body;
    expect([data.totals.count, data.totals.recording, data.matching.duration, data.disk.state]).toEqual([
      3,
      3,
      2,
      expect.stringMatching(/ok|low/),
    ]);
  });
});

describe('after a restart', () => {
  it('a running recording continues', async () => {
    const { uuid } = await recordClip();
    platform = await platform.reopen();
    await report('small-0', { sequence: 3 });
    expect(await rows()).toMatchObject([{ uuid, nn: 4, progress: true }]);
  });

  it('one that was being finished is finished, and leftovers of the last attempt are removed', async () => {
    const { uuid } = await recordClip();
    await platform.call('endRecord', { uuid });
    await platform.close();
    await writeFile(join(platform.dataDir, 'record', uuid, 'index.mp4.part'), 'half');
    platform = await platform.reopen();
    expect(await finished(uuid)).toMatchObject({ state: 'done' });
    expect(await readdir(join(platform.dataDir, 'record', uuid))).not.toContain('index.mp4.part');
  });

  it('recordings that exist only in the folder are in the table again', async () => {
    const { uuid, duration, size } = await recordWhole();
    await platform.close();
    for (const suffix of ['', '-wal', '-shm'])
      await rm(join(platform.dataDir, `store.sqlite${suffix}`), { force: true });
    platform = await platform.reopen();
    expect(await rows()).toMatchObject([{ uuid, duration, size, state: 'done', stream: 's' }]);
  });
});
