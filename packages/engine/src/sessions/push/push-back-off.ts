import { type BackOff, delayMs } from '@srs-stack/process/back-off.ts';
import type { PushReason } from './push-status.ts';

/** Short first delays, because most failures are short network interruptions. */
const retryBackOff: BackOff = { firstMs: 500, capMs: 30_000, jitter: 0.2 };
/** Failures that only the operator can remedy. */
const operatorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };

function needsOperator(reason: PushReason): boolean {
  return reason === 'address-refused' || reason === 'codec-unsupported';
}

/** `failures` counts from 1; `random` returns 0 to 1. */
export function retryDelayMs(reason: PushReason, failures: number, random: () => number): number {
  return delayMs(needsOperator(reason) ? operatorBackOff : retryBackOff, failures, random);
}
