// Set-up file of the unit tests outside the console. Raises the timeouts of `vi.waitFor` and `vi.waitUntil` (1 s by default), so that only
// a hang exceeds them.
import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Timeout, milliseconds. It is shorter than the timeout of a test, so that the failure shows the awaited condition. */
const waitMs = 30_000 * patience;

type Options = number | { readonly timeout?: number; readonly interval?: number } | undefined;
const patient = (options: Options) => ({
  ...(typeof options === 'object' ? options : {}),
  timeout: Math.max(waitMs, (typeof options === 'number' ? options : options?.timeout) ?? 0),
});

/** Marks `vi` as patched. Files of a worker share `vi`, which must be patched only once. */
const isPatient = Symbol.for('srs-stack.patient-waits');
if (!(isPatient in vi)) {
  const { waitFor, waitUntil } = vi;
  Object.assign(vi, {
    [isPatient]: true,
    waitFor: ((callback, options) => waitFor(callback, patient(options))) as typeof waitFor,
    waitUntil: ((callback, options) => waitUntil(callback, patient(options))) as typeof waitUntil,
  });
}
