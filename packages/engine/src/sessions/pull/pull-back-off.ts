import { type BackOff, delayMs } from '@srs-stack/process/back-off.ts';
import type { PullFailure, PullFault, PullReason } from './pull-status.ts';

/** The maximum delay is short, because an attempt costs only a few packets. A restarting camera sends media 3 s after its port responds. */
const retryBackOff: BackOff = { firstMs: 500, capMs: 2_000, jitter: 0.2 };
/** For failures that only the operator can fix. */
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

/** @param failures number of consecutive failures, at least 1. @param random returns 0 to 1. */
export function retryDelayMs({ reason, fault = 'none' }: PullFailure, failures: number, random: () => number): number {
  if (reason === 'not-authorized') return delayMs(passwordBackOff, failures, random);
  const needsOperator = operatorReasons.includes(reason) || operatorFaults.includes(fault);
  return delayMs(needsOperator ? operatorBackOff : retryBackOff, failures, random);
}
