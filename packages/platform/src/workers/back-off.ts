// Pauses of a worker between attempts.
import type { BackOff } from '@srs-stack/process/back-off.ts';

/** Pauses after failures that a retry may fix. The first pause is short, because most network problems are brief. */
export const retryBackOff: BackOff = { firstMs: 1_000, capMs: 30_000, jitter: 0.2 };
/** Pauses after failures that only the operator can fix, e.g. a wrong address or missing FFmpeg. */
export const errorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };
