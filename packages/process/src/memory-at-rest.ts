// Gives back what a start, or a load that has passed, left on the heap. V8 walks the whole heap when it needs room, which a server at
// rest never does: 10 MB of what the start has used stay with each process (docs/decisions/performance.md).
import { performance } from 'node:perf_hooks';
import { collectGarbage } from './garbage-collector.ts';

/** Between two looks whether the process is at rest, milliseconds: longer than a pause between two bursts. */
const lookEveryMs = 10_000;
/** The same until what the start has left is given back: longer than a start takes. */
const lookAfterStartEveryMs = 5_000;
/**
 * Idle means that the process has used at most this share of CPU time since the last check: then a pause of tens of
 * milliseconds is not noticed.
 */
const restingShare = 0.05;
/** What is not worth another walk: so much more than after the last one, bytes. */
const worthwhileBytes = 8 * 1024 ** 2;

export interface RestingProcess {
  /** Share of the time since the last call in which the event loop worked, 0 to 1. */
  workedShare(): number;
  heapBytes(): number;
  collect(): void;
}

/** Checks periodically; returns the stop function. Does not keep the process alive. */
export function giveBackAtRest(resting: RestingProcess = ownProcess()): () => void {
  let leftBytes: number | undefined;
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    timer = setTimeout(look, leftBytes === undefined ? lookAfterStartEveryMs : lookEveryMs).unref();
  };
  const look = (): void => {
    const isWorthwhile = leftBytes === undefined || resting.heapBytes() >= leftBytes + worthwhileBytes;
    if (resting.workedShare() <= restingShare && isWorthwhile) {
      resting.collect();
      leftBytes = resting.heapBytes();
    }
    plan();
  };
  plan();
  return () => clearTimeout(timer);
}

function ownProcess(): RestingProcess {
  let before = performance.eventLoopUtilization();
  return {
    workedShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect: () => collectGarbage('all'),
  };
}
