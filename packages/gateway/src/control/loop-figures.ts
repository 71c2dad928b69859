// How long the event loop of this process stands still, and what garbage collection takes. Runs always: a timer of libuv fills a
// histogram without JavaScript, and one callback reports each collection.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { LoopRow, LoopWindow } from '@srs-stack/contract/wire/srs-rows.ts';

/** Delays are sampled this often, milliseconds; what is shorter is not seen. */
const resolutionMs = 10;
/** Figures are kept for windows of this length, milliseconds … */
const defaultWindowMs = 5_000;
/** … and for this many of them: a minute, the usual interval between two looks of a monitor. */
const keptWindows = 12;
const nsPerMs = 1e6;

export interface LoopFigures {
  /** Finished windows of the last minute, the oldest first, and garbage collections since the start. */
  current(): LoopRow;
  close(): void;
}

/** `windowMs`: shorter in tests. */
export function openLoopFigures(windowMs = defaultWindowMs): LoopFigures {
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

/** The histogram holds times between two samples: what is above the resolution is delay. */
function delaysOf(histogram: ReturnType<typeof monitorEventLoopDelay>) {
  const delayMs = (ns: number) => Math.max(0, ns / nsPerMs - resolutionMs);
  return {
    delayP99Ms: delayMs(histogram.percentile(99)),
    delayP999Ms: delayMs(histogram.percentile(99.9)),
    delayMaxMs: histogram.count > 0 ? delayMs(histogram.max) : 0,
  };
}
