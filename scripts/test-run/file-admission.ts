// Decides when the next test file may start, from how busy the processors are. Pure; driven by `admission-server.ts`.

/** `light` files mostly compute for moments; `product` files start servers, encoders and browsers; the others also need idle processors. */
export type FileKind = 'light' | 'product' | 'realTime' | 'alone';

export interface WaitingFile {
  readonly kind: FileKind;
}

export interface AdmissionState {
  readonly running: readonly WaitingFile[];
  /** Share of all processors in use during the last seconds, 0 to 1. */
  readonly busy: number;
  /** Since the last file of any kind but `light` started, milliseconds. */
  readonly sinceStartMs: number;
  readonly processors: number;
}

/** Above this share of busy processors nothing more starts: servers and encoders would miss their real time. */
const fullShare = 0.85;
/** The same while several encoders and a browser work in real time. */
const realTimeShare = 0.6;
/** A product needs this long until its load shows in the figures, milliseconds. */
const settleMs = 2_000;
/** Files for each processor that start however busy it is, so that a run on a machine that others use goes on. */
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
