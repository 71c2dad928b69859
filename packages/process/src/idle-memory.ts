// Frees heap memory that the start or a past load left behind. V8 runs a full collection only when it needs memory, which an idle server
// never does; each process would keep 10 MB from its start (docs/decisions/performance.md).
import { performance } from 'node:perf_hooks';
import { collectCompiledCode, collectGarbage } from './garbage-collector.ts';

/** Interval of checks whether the process is idle, milliseconds; longer than the pause between two bursts. */
const checkIntervalMs = 10_000;
/** Interval of checks until the memory of the start is freed, milliseconds; longer than a start takes. */
const checkAfterStartIntervalMs = 5_000;
/** Highest active share of the event loop at which the process counts as idle; a pause of tens of milliseconds is then not noticed. */
const maxIdleShare = 0.05;
/**
 * Highest active share of the event loop at which the process serves nobody, so that the pause of `collectAfterStart` (0.2 s) is not
 * noticed. Not used for the first check, because viewers may join then.
 */
const maxRestShare = 0.01;
/** Growth of the heap since the last collection that is worth another one, bytes. */
const worthwhileBytes = 8 * 1024 ** 2;

export interface IdleProcess {
  /** Share of the time since the last call in which the event loop was active, 0 to 1. */
  workedShare(): number;
  heapBytes(): number;
  collect(): void;
  /** Runs a full collection, which also frees the compiled code that only the start needed. */
  collectAfterStart(): void;
}

/**
 * Checks periodically and frees memory while the process is idle; returns a function that stops the checks. Does not keep the process
 * alive.
 * @param afterStart called once when the memory of the start was freed, for example to compile again what the first viewers need.
 */
export function freeMemoryWhenIdle(idleProcess: IdleProcess, afterStart: () => void = () => undefined): () => void {
  let leftBytes: number | undefined;
  let isStartFreed = false;
  let timer: NodeJS.Timeout;
  const plan = (): void => {
    timer = setTimeout(check, isStartFreed ? checkIntervalMs : checkAfterStartIntervalMs).unref();
  };
  const check = (): void => {
    const share = idleProcess.workedShare();
    const isFirst = leftBytes === undefined;
    const isWorthwhile = leftBytes === undefined || idleProcess.heapBytes() >= leftBytes + worthwhileBytes;
    if (!isFirst && !isStartFreed && share <= maxRestShare) {
      isStartFreed = true;
      idleProcess.collectAfterStart();
      leftBytes = idleProcess.heapBytes();
      afterStart();
    } else if (share <= maxIdleShare && isWorthwhile) {
      idleProcess.collect();
      leftBytes = idleProcess.heapBytes();
    }
    plan();
  };
  plan();
  return () => clearTimeout(timer);
}

/**
 * The running process. `returnFreeMemory` is called after each collection and returns to the system the memory that the C library keeps.
 */
export function thisProcess(returnFreeMemory: () => void = () => undefined): IdleProcess {
  let before = performance.eventLoopUtilization();
  return {
    workedShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    heapBytes: () => process.memoryUsage().heapTotal,
    collect() {
      collectGarbage('all');
      returnFreeMemory();
    },
    collectAfterStart() {
      collectCompiledCode();
      returnFreeMemory();
    },
  };
}
