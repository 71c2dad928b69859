import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RewindOutput, type RewindOutputOptions } from './rewind-output.ts';

const key = { vhost: '__defaultVhost__', app: 'live/sub', stream: 'x' };
const settings = { minutes: 1, maxBytes: 1e9, patterns: [], recorded: [] };
const noon = Date.parse('2026-05-01T12:00:00Z');
let folder = '';
let nowMs = noon;
let isPublished = true;
let freeBytes = 1e12;
const lines: string[] = [];
const outputs: RewindOutput[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewind-'));
  nowMs = noon;
  isPublished = true;
  freeBytes = 1e12;
  lines.length = 0;
});
afterEach(async () => {
  for (const output of outputs.splice(0)) await output.close();
  await rm(folder, { recursive: true });
});

function open(more: Partial<RewindOutputOptions> = {}): RewindOutput {
  const note = (_fields: object, message: string): void => {
    lines.push(message);
  };
  const output = new RewindOutput({
    config: { folder: join(folder, 'rewind'), keepsOrphans: true, gateways: 1 },
    log: { debug: note, info: note, warn: note, error: note },
    isPublished: () => isPublished,
    wallClock: () => nowMs,
    measureDisk: async () => ({ freeBytes, totalBytes: 2e12 }),
    ...more,
  });
  outputs.push(output);
  return output;
}

/** Passes segments of two seconds and 1000 bytes; removes their live files immediately. */
async function feed(output: RewindOutput, count: number, { isDiscontinuous = false } = {}): Promise<void> {
  for (let index = 0; index < count; index++) {
    const live = join(folder, 'live.ts');
    await writeFile(live, Buffer.alloc(1000, index));
    const breaks = isDiscontinuous && index === 0;
    await output.take(key, live, { startedAtMs: nowMs, durationMs: 2000, sizeBytes: 1000, isDiscontinuous: breaks });
    await rm(live);
    nowMs += 2000;
  }
}

const filesOf = () => readdir(join(folder, 'rewind/live/sub/x')).catch(() => []);

it('keeps the configured minutes, and files a minute longer for loaded playlists', async () => {
  const output = open();
  output.configure(settings);
  await feed(output, 40);
  const stream = await output.find(key);
  expect(stream?.window.segments).toHaveLength(30);
  expect(output.heldMs(key)).toBe(60_000);
  expect(output.heldMs({ ...key, stream: 'other' })).toBeUndefined();
  expect(await filesOf()).toHaveLength(40);
  nowMs += 61_000;
  await output.sweep();
  expect(await filesOf()).toHaveLength(30);
});

it('keeps nothing of other streams, nor before it is configured', async () => {
  const output = open();
  await feed(output, 1);
  output.configure({ ...settings, patterns: ['live/other', 'vod/*'] });
  await feed(output, 1);
  expect(await output.find(key)).toBeUndefined();
  expect(await filesOf()).toEqual([]);
});

it('starts with the recording while there is one', async () => {
  const output = open();
  output.configure({ ...settings, recorded: [{ app: 'live/sub', stream: 'x', sinceMs: noon + 4000 }] });
  await feed(output, 60);
  expect((await output.find(key))?.window.segments[0]?.startMs).toBe(noon + 4000);
  output.configure(settings);
  await output.sweep();
  expect((await output.find(key))?.window.segments).toHaveLength(30);
});

it('continues the window of a killed run, with a discontinuity', async () => {
  const first = open();
  first.configure(settings);
  await feed(first, 3);
  const second = open();
  second.configure(settings);
  await feed(second, 1, { isDiscontinuous: true });
  const { segments } = (await second.find(key))!.window;
  expect(segments.map(({ sequence, discontinuity }) => [sequence, discontinuity])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1],
  ]);
});

it('serves and then removes the window of a killed run whose stream does not return', async () => {
  const first = open();
  first.configure(settings);
  await feed(first, 3);
  await writeFile(join(folder, 'rewind/live/sub/x', '0-0-1777636800000-1-1.ts.part'), 'half');
  isPublished = false;
  const second = open();
  second.configure(settings);
  await second.sweep();
  const stream = await second.find(key);
  expect(stream?.window.segments).toHaveLength(3);
  expect(stream?.playlistBody('', false).toString(), 'it may come back').not.toContain('ENDLIST');
  nowMs += 61_001;
  await second.sweep();
  expect((await second.find(key))?.window.segments ?? []).toEqual([]);
  nowMs += 61_000;
  await second.sweep();
  expect(await filesOf()).toEqual([]);
  expect(await second.find(key)).toBeUndefined();
});

it('removes everything when switched off', async () => {
  const output = open();
  output.configure(settings);
  await feed(output, 3);
  output.configure({ ...settings, minutes: 0 });
  await output.sweep();
  expect(await filesOf()).toEqual([]);
});

it('never exceeds the limit of all windows, and logs it once', async () => {
  const output = open();
  output.configure({ ...settings, maxBytes: 5000 });
  await feed(output, 20);
  await output.sweep();
  expect((await output.find(key))?.window.sizeBytes).toBe(5000);
  await feed(output, 3);
  await output.sweep();
  expect(lines.filter((line) => line.includes('limit of their total size is reached'))).toHaveLength(1);
});

it('on a full disk shortens the window, adds nothing, logs it, and continues with a discontinuity', async () => {
  const output = open();
  output.configure(settings);
  await feed(output, 8);
  freeBytes = 1e6;
  await output.sweep();
  const stream = (await output.find(key))!;
  expect(stream.window.segments).toHaveLength(4);
  await feed(output, 2);
  expect(stream.window.segments).toHaveLength(4);
  freeBytes = 1e12;
  await output.sweep();
  await feed(output, 1);
  expect(stream.window.segments.at(-1)).toMatchObject({ discontinuity: 1 });
  expect(lines.filter((line) => line.includes('disk'))).toHaveLength(2);
});

it('a segment that cannot be stored affects only itself', async () => {
  const output = open();
  output.configure(settings);
  await feed(output, 1);
  await output.take(key, join(folder, 'gone.ts'), {
    startedAtMs: nowMs,
    durationMs: 2000,
    sizeBytes: 1,
    isDiscontinuous: false,
  });
  await feed(output, 1);
  const { segments } = (await output.find(key))!.window;
  expect(segments.map(({ discontinuity }) => discontinuity)).toEqual([0, 1]);
});

it('of several gateways the publishing one keeps the window, the others read it', async () => {
  let appeared: ((stream: typeof key) => void) | undefined;
  const origins = {
    publishedSince: () => undefined,
    whenKnown: async () => undefined,
    onAppear: (listener: (stream: typeof key) => void) => {
      appeared = listener;
      return () => undefined;
    },
  };
  const first = open({ origins });
  first.configure(settings);
  await feed(first, 2);
  const second = open({
    config: { folder: join(folder, 'rewind'), keepsOrphans: false, gateways: 2 },
    isPublished: () => false,
  });
  second.configure(settings);
  expect((await second.find(key))?.window.segments).toHaveLength(2);
  // The publisher of the stream reconnects to the other gateway.
  isPublished = false;
  const third = open({
    config: { folder: join(folder, 'rewind'), keepsOrphans: false, gateways: 2 },
    isPublished: () => true,
  });
  third.configure(settings);
  appeared?.(key);
  await feed(third, 1, { isDiscontinuous: true });
  expect((await first.find(key))?.window.segments).toHaveLength(3);
});
