import { mkdir, mkdtemp, open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorRanges } from '@srs-stack/contract';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHistory } from './history.ts';
import { openHistoryFile } from './history-file.ts';
import { headerBytes, historyTiers, rowBytes, rowCount } from './history-layout.ts';

const start = Date.parse('2026-01-02T03:04:00Z');
const second = 1_000;
const hour = 3_600 * second;

describe('history in memory', () => {
  it('keeps mean and peak of each interval, and only measured values', () => {
    const history = createHistory();
    history.add(start, { viewers: 10, sentBps: 100 });
    history.add(start + 2 * second, { viewers: 30 });
    const { timesMs, mean, peak, stepMs } = history.read('5m', start + 4 * second);
    expect(stepMs).toBe(5_000);
    expect(timesMs).toEqual([start]);
    expect([mean.viewers, peak.viewers]).toEqual([[20], [30]]);
    expect([mean.sentBps, peak.sentBps, mean.streams]).toEqual([[100], [100], [null]]);
  });

  it('keeps a week at most, with a fixed number of rows, at every resolution', () => {
    const history = createHistory();
    const endMs = start + 8 * 24 * hour;
    for (let atMs = start; atMs <= endMs; atMs += 60 * second) history.add(atMs, { streams: 1 });
    for (const { range, rows, stepMs } of historyTiers.slice(1)) {
      const { timesMs, mean } = history.read(range, endMs);
      // With a minute between samples, the rows of an hour have gaps, but cover the range.
      expect(endMs - timesMs[0]!).toBeGreaterThan(rows * stepMs - 2 * 60 * second - stepMs);
      expect(timesMs.length).toBeLessThanOrEqual(rows);
      expect(mean.streams.filter((value) => value !== null).every((value) => value === 1)).toBe(true);
    }
  });

  it('has a gap after a long time without measurements', () => {
    const history = createHistory();
    history.add(start, { viewers: 1 });
    history.add(start + 10 * second, { viewers: 2 });
    history.add(start + 60 * second, { viewers: 3 });
    expect(history.read('5m', start + 60 * second).mean.viewers).toEqual([1, 2, null, 3]);
  });

  it('drops rows in the future of a clock set back; leaves a gap for a clock set forward', () => {
    const history = createHistory();
    for (let step = 0; step < 40; step++) history.add(start + step * 5 * second, { viewers: 7 });
    history.add(start + 50 * second, { viewers: 1 });
    expect(history.read('5m', start + 51 * second).mean.viewers.at(-1)).toBe(4);
    for (let step = 11; step < 30; step++) history.add(start + step * 5 * second, { viewers: 1 });
    expect(history.read('5m', start + 150 * second).mean.viewers.slice(11)).toEqual(new Array(19).fill(1));
    history.add(start + 365 * 24 * hour, { viewers: 2 });
    expect(history.read('7d', start + 365 * 24 * hour).mean.viewers).toEqual([2]);
    expect(history.read('5m', start + 365 * 24 * hour).mean.viewers).toEqual([2]);
  });
});

async function openFilesIn(folder: string): Promise<string[]> {
  const links = await readdir('/proc/self/fd');
  const files = await Promise.all(links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

describe('history on disk', () => {
  const log = pino({ level: 'silent' });
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'srs-history-'));
    path = join(folder, 'metrics', 'history.bin');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const filled = async (count: number) => {
    const history = await openHistoryFile(path, start, log);
    for (let step = 0; step < count; step++) history.add(start + step * 5 * second, { viewers: step, streams: 1 });
    await history.close();
    return start + count * 5 * second;
  };

  it('survives a restart, in a file of fixed size', async () => {
    const nowMs = await filled(30);
    const bytes = (await stat(path)).size;
    expect(bytes).toBe(headerBytes + rowCount * rowBytes);
    const again = await openHistoryFile(path, nowMs, log);
    for (const range of monitorRanges) expect(again.read(range, nowMs).timesMs.length).toBeGreaterThan(0);
    expect(again.read('5m', nowMs).mean.viewers).toEqual(Array.from({ length: 30 }, (_, step) => step));
    for (let step = 0; step < 2_000; step++) again.add(nowMs + step * 5 * second, { viewers: 1 });
    await again.close();
    expect((await stat(path)).size).toBe(bytes);
  });

  it('continues the interval in which it stopped', async () => {
    const first = await openHistoryFile(path, start, log);
    first.add(start, { viewers: 10 });
    await first.close();
    const second = await openHistoryFile(path, start, log);
    second.add(start + 1_000, { viewers: 20 });
    expect(second.read('1h', start + 2_000).mean.viewers).toEqual([15]);
    await second.close();
  });

  it('ignores a partially written row, wherever the write stopped', async () => {
    const nowMs = await filled(3);
    const whole = await readFile(path);
    for (const cut of [1, 8, 100, rowBytes - 9, rowBytes - 1]) {
      const damaged = Buffer.from(whole);
      const rowStart = headerBytes + (Math.floor(start / 5_000) % 60) * rowBytes;
      // Damages a row as an interrupted write does: the first bytes are new, the rest is old.
      for (let at = 0; at < cut; at++) damaged[rowStart + at] = (damaged[rowStart + at] ?? 0) ^ 0x5a;
      await writeFile(path, damaged);
      const history = await openHistoryFile(path, nowMs, log);
      const { mean } = history.read('5m', nowMs);
      expect(mean.viewers).toEqual([1, 2]);
      await history.close();
    }
  });

  it('starts an empty history when the file has another layout, and keeps the old file', async () => {
    await filled(1);
    const file = await open(path, 'r+');
    await file.write('{"format":"of another version"}', 0);
    await file.close();
    const history = await openHistoryFile(path, start, log);
    expect(history.read('5m', start + second).timesMs).toEqual([]);
    await history.close();
    expect((await readFile(`${path}.old`, 'utf8')).startsWith('{"format":"of another version"}')).toBe(true);
  });

  it('omits rows in the future of a clock set back between two runs', async () => {
    await filled(30);
    const history = await openHistoryFile(path, start + 50 * second, log);
    expect(history.read('5m', start + 140 * second).timesMs.length).toBe(11);
    await history.close();
  });

  it.each([
    ['the new file cannot be renamed', () => mkdir(path, { recursive: true })],
    [
      'a file of another layout cannot be renamed',
      async () => {
        await mkdir(`${path}.old`, { recursive: true });
        await writeFile(path, 'of another version');
      },
    ],
  ])('leaves no file open when %s, and works in memory', async (_, prepare) => {
    await prepare();
    const history = await openHistoryFile(path, start, log);
    history.add(start, { viewers: 3 });
    expect(history.read('5m', start + second).mean.viewers).toEqual([3]);
    expect(await openFilesIn(folder)).toEqual([]);
    expect(await readdir(join(folder, 'metrics'))).not.toContain('history.bin.new');
    await history.close();
  });

  it('works in memory without a usable folder', async () => {
    await writeFile(join(folder, 'metrics'), 'a file where the folder should be');
    const history = await openHistoryFile(path, start, log);
    history.add(start, { viewers: 3 });
    expect(history.read('5m', start + second).mean.viewers).toEqual([3]);
    await history.close();
  });
});
