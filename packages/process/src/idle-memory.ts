// Frees heap memory that is left after the start or after a past load. V8 runs a full collection only when it needs memory, which never
// happens in an idle server. Each process would keep 10 MB from its start (docs/decisions/performance.md).
import { performance } from 'node:perf_hooks';
import { collectCompiledCode, collectGarbage } from './garbage-collector.ts';

/** Interval of idle checks, milliseconds; longer than the pause between two bursts of work. */
const checkIntervalMs = 10_000;
/** Interval of idle checks until the memory of the start is freed, milliseconds; longer than a start takes. */
const checkAfterStartIntervalMs = 5_000;
/** Maximum active share of the event loop at which the process counts as idle. Nobody then notices a pause of tens of milliseconds. */
const maxIdleShare = 0.05;
/**
 * Maximum active share of the event loop of a process without clients. Nobody then notices the pause of `collectAfterStart` (0.2 s). The
 * first check does not use this limit, because viewers may join shortly after the start.
 */
const maxRestShare = 0.01;
/** Growth of the heap, bytes, from which a further collection is worthwhile. */
const worthwhileBytes = 8 * 1024 ** 2;

export interface IdleProcess {
  /** Active share of the event loop since the last call, 0 to 1. */
  workedShare(): number;
  heapBytes(): number;
  collect(): void;
  /** Runs a full collection, and frees compiled code that only the start needed. */
  collectAfterStart(): void;
}

/**
 * Checks periodically and frees memory while the process is idle. The checks do not keep the process alive. Returns a function that stops
 * them.
 * @param afterStart called once after the memory of the start was freed, e.g. to compile code for the first viewers again.
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

/** The running process. @param returnFreeMemory called after each collection; returns further unused memory to the system. */
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
