import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutputReport } from '@srs-stack/contract/values/viewers.ts';
import { countReport, noViewerCounts } from '@srs-stack/contract/viewer-counts.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openViewerHistory } from './open-viewer-history.ts';
import { maxKeptViewers } from './viewer-history.ts';
import { viewerHeaderBytes, viewerRowWidth } from './viewer-history-layout.ts';

const log = pino({ level: 'silent' });
const minuteMs = 60_000;
const startMs = 1_700_000_040_000;
const flv = { app: 'live', stream: '流', output: 'flv' } as const;

function counts(report: Partial<OutputReport> = {}) {
  const sum = noViewerCounts();
  countReport(sum, { output: 'flv', seconds: 10, bytes: 1_000_000, ...report });
  return sum;
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srs-viewers-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const opened = (nowMs: number) => openViewerHistory(join(folder, 'viewers'), nowMs, log);
const filesOf = async () => (await readdir(join(folder, 'viewers'))).map((name) => join(folder, 'viewers', name));

async function watchedMinute(fromMs = startMs): Promise<number> {
  const { history, close } = await opened(fromMs);
  for (let atMs = fromMs; atMs < fromMs + minuteMs; atMs += 10_000) history.add(atMs, flv, counts());
  await close();
  return fromMs + minuteMs;
}

describe('playback quality', () => {
  it('survives a restart, of each stream and of all together, and continues the open interval', async () => {
    const nowMs = await watchedMinute();
    const { history, close } = await opened(nowMs);
    expect(history.lately(flv, nowMs)?.receivedBps).toBe(800_000);
    expect(history.read('1h', nowMs, flv).outputs[0]?.viewers.at(-1)).toBe(1);
    expect(history.read('1h', nowMs).outputs[0]?.viewers.at(-1)).toBe(1);
    expect(history.read('5m', nowMs).streams).toMatchObject([flv]);
    history.add(nowMs, flv, counts({ join: 0.4 }));
    expect(history.read('7d', startMs + 60 * minuteMs, flv).outputs[0]?.viewers.at(-1)).toBeCloseTo(70 / 3_600, 3);
    await close();
  });

  it('starts from zero for counters since the start of the process', async () => {
    const nowMs = await watchedMinute();
    const { history, close } = await opened(nowMs);
    expect(history.totals()).toEqual([]);
    history.add(nowMs, flv, counts());
    expect(history.totals().map(({ counts: { reports } }) => reports)).toEqual([1]);
    await close();
  });

  it('takes a file of fixed size each, and none for evicted streams', async () => {
    const { history, close } = await opened(startMs);
    for (let index = 0; index <= maxKeptViewers; index++)
      history.add(startMs, { ...flv, stream: `s${index}` }, counts());
    await close();
    const files = await filesOf();
    expect(files).toHaveLength(maxKeptViewers + 1);
    const sizes = new Set(await Promise.all(files.map(async (file) => (await stat(file)).size)));
    expect(sizes.size).toBe(1);
    expect([...sizes][0]).toBeLessThan(200_000);
    const again = await opened(startMs);
    expect(again.history.read('7d', startMs + 60 * minuteMs, { ...flv, stream: 's0' }).outputs).toEqual([]);
    await again.close();
  });

  it('ignores a partially written interval, wherever the write stopped', async () => {
    const nowMs = await watchedMinute();
    const whole = await Promise.all((await filesOf()).map(async (file) => [file, await readFile(file)] as const));
    const rowBytes = viewerRowWidth * 8;
    for (const cut of [1, 8, 100, rowBytes - 1]) {
      for (const [file, bytes] of whole) {
        const damaged = Buffer.from(bytes);
        // Damages each row as an interrupted write does: the first bytes are new, the rest is old.
        for (let row = viewerHeaderBytes; row < damaged.length; row += rowBytes)
          if (damaged.readDoubleLE(row) > 0) for (let at = row; at < row + cut; at++) damaged[at]! ^= 0x5a;
        await writeFile(file, damaged);
      }
      const { history, close } = await opened(nowMs);
      expect(history.lately(flv, nowMs)).toBeUndefined();
      await close();
      for (const [file, bytes] of whole) await writeFile(file, bytes);
    }
  });

  it('deletes expired data with its files, and data in the future of a clock that was set back', async () => {
    await watchedMinute();
    const before = await opened(startMs - 30 * minuteMs);
    expect(before.history.read('5m', startMs + minuteMs, flv).outputs).toEqual([]);
    await before.close();
    const later = await opened(startMs + 9 * 24 * 60 * minuteMs);
    await later.close();
    expect(await filesOf()).toEqual([]);
  });

  it('removes files of another layout', async () => {
    const nowMs = await watchedMinute();
    const [file] = await filesOf();
    const handle = await open(file!, 'r+');
    await handle.write('{"format":"of another version"}', 0);
    await handle.close();
    const { close } = await opened(nowMs);
    await close();
    expect(await filesOf()).toHaveLength(1);
  });

  it('stays in memory without a usable folder', async () => {
    await writeFile(join(folder, 'viewers'), 'in the way');
    const { history, close } = await opened(startMs);
    history.add(startMs, flv, counts());
    await close();
    expect(history.lately(flv, startMs)?.receivedBps).toBe(800_000);
  });
});
