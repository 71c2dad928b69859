// Pauses of a worker between two attempts.
import type { BackOff } from '@srs-stack/process/back-off.ts';

/** For a failed target. The first pause is short: most failures are brief network problems. */
export const retryBackOff: BackOff = { firstMs: 1_000, capMs: 30_000, jitter: 0.2 };
/** For failures that need the operator (a wrong address, FFmpeg missing). */
export const errorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };
