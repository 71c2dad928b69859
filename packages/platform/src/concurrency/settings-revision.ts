// Detects concurrent changes of settings. A revision identifies the values that an operator saw.
import { createHash } from 'node:crypto';
import { AppError } from '@srs-stack/contract';

const revisionLength = 16;

/** Equal values have equal revisions. */
export function revisionOf(values: unknown): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, revisionLength);
}

/** Throws `settingsChanged` when `given` does not identify the current values. */
export function requireRevision(given: string | undefined, current: unknown): void {
  if (given !== undefined && given !== revisionOf(current)) throw new AppError('settingsChanged');
}
