import type { OutputReport } from '@srs-stack/contract/values/viewers.ts';
import { countReport, noViewerCounts } from '@srs-stack/contract/viewer-counts.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { ViewerHistory } from './viewer-history.ts';

const minuteMs = 60_000;
const startMs = 1_700_000_040_000;
const x = { app: 'live', stream: 'x' };

function counts(...reports: Partial<OutputReport>[]) {
  const sum = noViewerCounts();
  for (const report of reports) countReport(sum, { output: 'flv', seconds: 10, ...report });
  return sum;
}

let history: ViewerHistory;
beforeEach(() => {
  history = new ViewerHistory();
});

describe('the history of viewers', () => {
  it('has an entry for each output of a stream, and one for all streams together', () => {
    for (let atMs = startMs; atMs < startMs + 5 * minuteMs; atMs += 10_000) {
      history.add(atMs, { ...x, output: 'flv' }, counts({ bytes: 1_000_000 }));
      history.add(atMs, { ...x, output: 'hls' }, counts({ stalledLately: true }));
      history.add(atMs, { app: 'live', stream: 'y', output: 'flv' }, counts({}, {}));
    }
    const nowMs = startMs + 5 * minuteMs;
    const own = history.read('1h', nowMs, x);
    expect(own.outputs.map(({ output, viewers }) => [output, viewers.at(-1)])).toEqual([
      ['flv', 1],
      ['hls', 1],
    ]);
    expect(own.outputs[0]?.receivedBps.at(-1)).toBe(800_000);
    expect(own.outputs[1]?.stalledShare.at(-1)).toBe(1);
    expect(own.outputs[0]?.viewers.filter((value) => value !== null)).toHaveLength(5);
    expect(own.timesMs).toHaveLength(60);
    expect(history.read('1h', nowMs).outputs[0]?.viewers.at(-1)).toBe(3);
    expect(history.read('5m', nowMs).streams.map(({ stream, output }) => `${stream} ${output}`)).toEqual([
      'y flv',
      'x flv',
      'x hls',
    ]);
  });

  it('returns the last minute of all outputs, and nothing for a stream without reports', () => {
    history.add(startMs, { ...x, output: 'flv' }, counts({ stalledLately: true, stalls: 1, stalledSeconds: 3 }));
    history.add(startMs, { ...x, output: 'hls' }, counts({ join: 0.6 }, {}, {}));
    expect(history.lately(x, startMs + 20_000)).toMatchObject({ stalledShare: 0.25, joinP50: 0.625 });
    expect(history.lately(x, startMs + 2 * minuteMs)).toBeUndefined();
    expect(history.lately({ app: 'live', stream: 'y' }, startMs)).toBeUndefined();
  });

  it('drops data older than the longest range, and the streams that were not watched for longest', () => {
    history.add(startMs, { ...x, output: 'flv' }, counts({}));
    expect(history.read('7d', startMs + 8 * 24 * 60 * minuteMs, x).outputs).toEqual([]);
    for (let index = 0; index < 1_000; index++)
      history.add(startMs, { app: 'live', stream: `s${index}`, output: 'flv' }, counts({}));
    expect(history.totals()).toHaveLength(150);
    expect(history.totals()[0]?.stream).toBe('s850');
  });

  it('shows nothing in the future of a clock that was set back', () => {
    history.add(startMs + 30 * minuteMs, { ...x, output: 'flv' }, counts({}));
    history.add(startMs, { ...x, output: 'flv' }, counts({}));
    const { outputs } = history.read('1h', startMs + 31 * minuteMs, x);
    expect(outputs[0]?.viewers.filter((value) => value !== null)).toHaveLength(1);
  });
});
