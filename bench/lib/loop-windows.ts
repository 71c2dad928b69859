// Event loop delays of the gateway during the measurement, from the gateway's SRS-compatible API.
import { readSrsSummaryRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { ports } from '../conf/ports.ts';

export interface LoopDelays {
  /** 99th percentile of the delay in the five-second window with the longest delays, milliseconds. */
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  /** Garbage collection: share of the time, and the longest pause, milliseconds. */
  readonly gcShare: number;
  readonly gcMaxMs: number;
}

/** Longest delays in the windows that ended after `sinceMs`; undefined without such a window. The API lists the last minute. */
export async function readLoopDelays(sinceMs: number): Promise<LoopDelays | undefined> {
  const response = await fetch(`http://127.0.0.1:${ports.srsApi}/api/v1/summaries`);
  const { data } = (await response.json()) as { data: unknown };
  const windows = readSrsSummaryRow(data).self.ext.loop?.windows.filter(({ endMs }) => endMs > sinceMs) ?? [];
  if (windows.length === 0) return undefined;
  const most = (take: (window: (typeof windows)[number]) => number) => Math.max(...windows.map(take));
  const gcMs = windows.reduce((sum, window) => sum + window.gcMs, 0);
  return {
    p99Ms: most(({ delayP99Ms }) => delayP99Ms),
    p999Ms: most(({ delayP999Ms }) => delayP999Ms),
    maxMs: most(({ delayMaxMs }) => delayMaxMs),
    gcShare: gcMs / (windows.length * windowMs),
    gcMaxMs: most(({ gcMaxMs }) => gcMaxMs),
  };
}

/** Length of a window, milliseconds: set by `packages/gateway/src/control/loop-metrics.ts`. */
const windowMs = 5_000;
