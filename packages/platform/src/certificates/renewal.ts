// Decides when a certificate is renewed: 30 days before expiry. A certificate with a lifetime below 90 days is renewed in the last third.
import type { CertificateFacts } from '@srs-stack/contract';

const dayMs = 86_400_000;
const renewBeforeMs = 30 * dayMs;
/** Longest pause between two checks, milliseconds: the files may be replaced manually. */
const longestPauseMs = dayMs;
/** Shortest pause between two checks, milliseconds. Prevents requesting certificates in a loop. */
const shortestPauseMs = 10_000;
/** Pause after a failed renewal, milliseconds. Authorities limit failures per hour. */
const pauseAfterFailureMs = 6 * 3_600_000;

type Life = Pick<CertificateFacts, 'notBefore' | 'notAfter'>;

function dueAt({ notBefore, notAfter }: Life): number {
  const [from, to] = [Date.parse(notBefore), Date.parse(notAfter)];
  return to - Math.min(renewBeforeMs, (to - from) / 3);
}

export function isRenewalDue(life: Life, now: Date): boolean {
  return now.getTime() >= dueAt(life);
}

/** Milliseconds until the next check. */
export function pauseBeforeRenewal(life: Life | undefined, now: Date, hasFailed: boolean): number {
  if (hasFailed) return pauseAfterFailureMs;
  if (!life) return longestPauseMs;
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, dueAt(life) - now.getTime()));
}
