// Measures event loop delay and garbage collection time of this process. Always on, because the cost is low: libuv fills the histogram
// without JavaScript, and each collection causes one callback.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { LoopRow, LoopWindow } from '@srs-stack/contract/wire/srs-rows.ts';

/** Sampling interval of the delay, milliseconds. Shorter delays may be missed. */
const resolutionMs = 10;
/** Length of one window of metrics, milliseconds. */
const defaultWindowMs = 5_000;
/** Number of kept windows: one minute, the usual scrape interval. */
const keptWindows = 12;
const nsPerMs = 1e6;

export interface LoopMetrics {
  /** The windows of the last minute, oldest first, and the number and total time of garbage collections since the start. */
  current(): LoopRow;
  close(): void;
}

/** `windowMs` is shortened in tests. */
export function openLoopMetrics(windowMs = defaultWindowMs): LoopMetrics {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const windows: LoopWindow[] = [];
  const total = { gcCount: 0, gcMs: 0 };
  let inWindow = { gcMs: 0, gcMaxMs: 0 };
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      total.gcCount++;
      total.gcMs += duration;
      inWindow = { gcMs: inWindow.gcMs + duration, gcMaxMs: Math.max(inWindow.gcMaxMs, duration) };
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  const timer = setInterval(() => {
    windows.push({ endMs: Date.now(), ...delaysOf(histogram), ...inWindow });
    if (windows.length > keptWindows) windows.shift();
    histogram.reset();
    inWindow = { gcMs: 0, gcMaxMs: 0 };
  }, windowMs).unref();
  const close = () => {
    clearInterval(timer);
    observer.disconnect();
    histogram.disable();
  };
  return { current: () => ({ windows, ...total }), close };
}

/** The histogram contains intervals between samples. The part above the sampling interval is delay. */
function delaysOf(histogram: ReturnType<typeof monitorEventLoopDelay>) {
  const delayMs = (ns: number) => Math.max(0, ns / nsPerMs - resolutionMs);
  return {
    delayP99Ms: delayMs(histogram.percentile(99)),
    delayP999Ms: delayMs(histogram.percentile(99.9)),
    delayMaxMs: histogram.count > 0 ? delayMs(histogram.max) : 0,
  };
}
