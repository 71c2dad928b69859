// Invalid and malicious input of recording: names with path tricks, files from other folders, filters that match nothing or everything.
// Also calls while the server stops, and a file that is deleted during playback.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maxRecordGlobs, recordLinkPrefix } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
let clip: Buffer;
let sequence: number;

beforeEach(async () => {
  sequence = 0;
  platform = await openTestPlatform();
  const file = join(platform.dataDir, 'clip.mpegts');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=1', '-c:v', 'libx264'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...source, '-preset', 'ultrafast', '-f', 'mpegts', file]);
  clip = await readFile(file);
  await mkdir(join(platform.dataDir, 'hls', 'live'), { recursive: true });
  await platform.call('applyRecord', { all: true });
});
afterEach(() => platform.dispose());

async function report(fields: object = {}) {
  const number = sequence++;
  const name = `s-${number}-1700000000000.ts`;
  const file = join(platform.dataDir, 'hls', 'live', name);
  await writeFile(file, clip);
  const source = { vhost: '__defaultVhost__', app: 'live', stream: 's', m3u8_url: 'live/s.m3u8', url: `live/${name}` };
  const body = { action: 'on_hls', ...source, file, duration: 1, seq_no: number, ...fields };
  return platform.call('hlsSegment', body, { 'x-callback-secret': testCallbackSecret });
}
const rows = async () => (await platform.call('queryRecordFiles', {})).body.data;
const foldersOf = async () => (await readdir(join(platform.dataDir, 'record'))).filter((name) => name !== '.bin');

it.each(['../../config', '..', 'a/../../b', 'x\0y', 'a\nb', '-y', "'; rm -rf /", '直播', 'C:\\x', '*'])(
  'a stream called %j stays inside the record folder',
  async (stream) => {
    const before = await readdir(platform.dataDir);
    await report({ stream, app: stream, m3u8_url: `${stream}/${stream}.m3u8` });
    for (const name of await foldersOf()) expect(name).toMatch(/^[0-9a-f-]{36}$/);
    const [row] = await rows();
    if (row) {
      await platform.call('endRecord', { uuid: row.uuid });
      await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'done' }), { timeout: 20_000 });
      const link = `${recordLinkPrefix}${row.uuid}/index.mp4?download=1`;
      const head = await platform.app.inject({ method: 'HEAD', url: link });
      expect(head.headers['content-disposition']).not.toMatch(/[\n\r\0]|filename="[^"]*[\\/]/);
    }
    expect((await readdir(platform.dataDir)).sort()).toEqual(before.sort());
  },
);

it('accepts no file from outside the HLS folder, not even by a link', async () => {
  const secret = join(platform.dataDir, 'config', 'store.key');
  await symlink(secret, join(platform.dataDir, 'hls', 'live', 'link.ts'));
  for (const file of [
    secret,
    '../config/store.key',
    join(platform.dataDir, 'hls', 'live', 'link.ts'),
    '/etc/passwd',
    '',
  ]) {
    expect((await report({ file })).status, file).toBeGreaterThanOrEqual(400);
  }
  expect(await rows()).toEqual([]);
  expect(await foldersOf()).toEqual([]);
});

describe('filters', () => {
  it.each([
    [['/match/nothing'], 0],
    [['*'], 0],
    [['s'], 0],
    [['/*/*'], 1],
    [['/**/s'], 1],
    [['/nothing', '/live/?'], 1],
    [[], 1],
    [['', ''], 1],
  ])('%j: %i recordings', async (globs, count) => {
    expect((await platform.call('updateRecordGlobs', { globs })).status).toBe(200);
    expect((await report()).status).toBe(200);
    expect(await rows()).toHaveLength(count);
  });

  it.each([
    [['/live/[']],
    [['/live/\\']],
    [[7]],
    ['/live/*'],
    [Array(maxRecordGlobs + 1).fill('/a')],
    [['/'.repeat(301)]],
  ])('%j are refused, and the previous ones stay', async (globs) => {
    await platform.call('updateRecordGlobs', { globs: ['/live/*'] });
    const { status, body } = await platform.call('updateRecordGlobs', { globs });
    expect([status, body.data.name]).toEqual([400, 'invalidRequest']);
    expect((await platform.call('queryRecord')).body.data.globs).toEqual(['/live/*']);
  });
});

it.each([[{ keepDays: -1 }], [{ keepDays: 1.5 }], [{ keepDays: 'x' }], [{ maxBytes: 5 }], [{ maxBytes: 1e300 }]])(
  'retention %j is refused and nothing is removed',
  async (rules) => {
    await report();
    expect((await platform.call('updateRecordRetention', rules)).status).toBe(400);
    expect((await platform.call('queryRecordRetention')).body.data).toEqual({ keepDays: 0, maxBytes: 0, removals: [] });
    expect(await rows()).toHaveLength(1);
  },
);

it('calls and reports while the server stops are executed or refused, never partially', async () => {
  await report();
  const { uuid } = (await rows())[0];
  const closed = platform.close();
  const responses = await Promise.all([
    platform.call('applyRecord', { all: false }).catch(() => undefined),
    platform.call('updateRecordGlobs', { globs: ['/live/*'] }).catch(() => undefined),
    report().catch(() => undefined),
    platform.call('endRecord', { uuid }).catch(() => undefined),
  ]);
  await closed;
  platform = await platform.reopen();
  const { all, globs } = (await platform.call('queryRecord')).body.data;
  if (responses[0]?.status === 200) expect(all).toBe(false);
  if (responses[1]?.status === 200) expect(globs).toEqual(['/live/*']);
  const [row] = await rows();
  expect(row.uuid).toBe(uuid);
  expect(row.nn).toBe(responses[2]?.status === 200 && all ? 2 : row.nn);
  const names = await readdir(join(platform.dataDir, 'record', uuid));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(names.filter((name) => name.endsWith('.ts'))).toHaveLength(row.nn);
});

it('a recording deleted during playback is played to its end, and then removed', async () => {
  await report();
  const { uuid } = (await rows())[0];
  await platform.call('endRecord', { uuid });
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ state: 'done' }), { timeout: 20_000 });
  // More bytes than one read returns.
  const content = Buffer.alloc(16 * 1024 * 1024, 'recording');
  await writeFile(join(platform.dataDir, 'record', uuid, 'index.mp4'), content);
  await platform.app.listen({ host: '127.0.0.1', port: 0 });
  const address = platform.app.server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${recordLinkPrefix}${uuid}/index.mp4`;
  const response = await fetch(url);
  const reader = response.body!.getReader();
  const chunks = [Buffer.from((await reader.read()).value ?? [])];
  const headers = { authorization: `Bearer ${testBearer}` };
  expect((await platform.call('removeRecord', { uuid, forever: true }, headers)).status).toBe(200);
  for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(Buffer.from(next.value));
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
  expect((await fetch(url)).status).toBe(404);
  expect(await foldersOf()).toEqual([]);
});

it('a segment that disappears before it is copied is refused, and the next one is accepted', async () => {
  const file = join(platform.dataDir, 'hls', 'live', 'gone.ts');
  await writeFile(file, clip);
  await unlink(file);
  expect((await report({ file })).status).toBe(400);
  expect((await report()).status).toBe(200);
  expect(await rows()).toMatchObject([{ nn: 1 }]);
});
