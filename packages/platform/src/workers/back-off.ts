// Pauses of a worker between two attempts.
import type { BackOff } from '@srs-stack/process/back-off.ts';

/** Pauses after a failure of the target. The first pause is short, because most failures are brief network problems. */
export const retryBackOff: BackOff = { firstMs: 1_000, capMs: 30_000, jitter: 0.2 };
/** Pauses after failures that need the operator (a wrong address, FFmpeg missing). */
export const errorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };
