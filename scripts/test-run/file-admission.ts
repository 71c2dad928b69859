// Decides by processor use when the next test file may start. Called by `admission-server.ts`. Pure.

/**
 * `light` files only compute, usually briefly. `product` files start servers, encoders and browsers. `realTime` files also need idle
 * processors. `alone` files run without other files.
 */
export type FileKind = 'light' | 'product' | 'realTime' | 'alone';

export interface WaitingFile {
  readonly kind: FileKind;
}

export interface AdmissionState {
  readonly running: readonly WaitingFile[];
  /** Share of all processors in use during the last seconds, 0 to 1. */
  readonly busy: number;
  /** Milliseconds since the last start of a file that is not `light`. */
  readonly sinceStartMs: number;
  readonly processors: number;
}

/** Above this share of busy processors, only `leastPerProcessor` files per processor run, because more would lag behind real time. */
const fullShare = 0.85;
/** Maximum share of busy processors for a start while a `realTime` file (several encoders and a browser) is next or running. */
const realTimeShare = 0.6;
/** Time until a started product is visible in the processor use, milliseconds. */
const settleMs = 2_000;
/**
 * Number of files per processor that may start on a busy machine, so that the run progresses. Does not apply while a `realTime` or `alone`
 * file is next or running.
 */
const leastPerProcessor = 1;

/** Whether the first file in the queue may start now. @param next this file. */
export function mayStart(next: WaitingFile, { running, busy, sinceStartMs, processors }: AdmissionState): boolean {
  const isRunning = (kind: FileKind) => running.some((file) => file.kind === kind);
  if (isRunning('alone')) return false;
  if (next.kind === 'alone') return running.length === 0;
  if (isRunning('realTime') || next.kind === 'realTime')
    return running.length === 0 || (busy < realTimeShare && sinceStartMs >= settleMs);
  if (running.length < leastPerProcessor * processors) return true;
  if (busy >= fullShare) return false;
  return next.kind === 'light' || sinceStartMs >= settleMs;
}
