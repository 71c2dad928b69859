// Delays of a pull between two attempts.
import { type BackOff, delayMs } from '@srs-stack/process/back-off.ts';
import type { PullFailure, PullFault, PullReason } from './pull-status.ts';

/** A restarting camera is on the air again 3 s after its port responds, so the maximum delay is short. An attempt costs a few packets. */
const retryBackOff: BackOff = { firstMs: 500, capMs: 2_000, jitter: 0.2 };
/** Failures that only the operator can fix. */
const operatorBackOff: BackOff = { firstMs: 5_000, capMs: 60_000, jitter: 0.2 };
/** Long delays, because cameras lock accounts after several wrong passwords. */
const passwordBackOff: BackOff = { firstMs: 30_000, capMs: 300_000, jitter: 0.2 };

const operatorReasons: readonly PullReason[] = ['address-refused', 'codec-unsupported', 'not-found', 'tls-failed'];

const operatorFaults: readonly PullFault[] = [
  'no-tcp',
  'no-udp',
  'not-local',
  'playlist-invalid',
  'udp-off',
  'udp-port-taken',
];

/** `failures` counts from 1; `random` returns 0 to 1. */
export function retryDelayMs({ reason, fault = 'none' }: PullFailure, failures: number, random: () => number): number {
  if (reason === 'not-authorized') return delayMs(passwordBackOff, failures, random);
  const needsOperator = operatorReasons.includes(reason) || operatorFaults.includes(fault);
  return delayMs(needsOperator ? operatorBackOff : retryBackOff, failures, random);
}
