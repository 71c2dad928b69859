// Decides by processor use when the next test file may start. Pure; called by `admission-server.ts`.

/** `light` files mostly compute briefly; `product` files start servers, encoders and browsers; the others also need idle processors. */
export type FileKind = 'light' | 'product' | 'realTime' | 'alone';

export interface WaitingFile {
  readonly kind: FileKind;
}

export interface AdmissionState {
  readonly running: readonly WaitingFile[];
  /** Share of all processors in use during the last seconds, 0 to 1. */
  readonly busy: number;
  /** Milliseconds since the last file of any kind but `light` started. */
  readonly sinceStartMs: number;
  readonly processors: number;
}

/** Nothing more starts above this share of busy processors: servers and encoders would lag behind real time. */
const fullShare = 0.85;
/** Limit of busy processors while several encoders and a browser work in real time. */
const realTimeShare = 0.6;
/** Time until the load of a product is visible in the processor use, milliseconds. */
const settleMs = 2_000;
/** Files per processor that start regardless of processor use, so that a run progresses on a busy machine. */
const leastPerProcessor = 1;

/** Returns whether `next`, the first in the queue, may start now. */
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
