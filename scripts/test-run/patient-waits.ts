// Loaded before every test file of the servers: `vi.waitFor` and `vi.waitUntil`, which give up after a second unless told, wait
// until only a hang can be the reason, whatever the test says.
import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Shorter than a test has, so that its failure says what it waited for, milliseconds. */
const waitMs = 30_000 * patience;

type Options = number | { readonly timeout?: number; readonly interval?: number } | undefined;
const patient = (options: Options) => ({
  ...(typeof options === 'object' ? options : {}),
  timeout: Math.max(waitMs, (typeof options === 'number' ? options : options?.timeout) ?? 0),
});

/** Files of a worker share `vi`: it is made patient once. */
const isPatient = Symbol.for('srs-stack.patient-waits');
if (!(isPatient in vi)) {
  const { waitFor, waitUntil } = vi;
  Object.assign(vi, {
    [isPatient]: true,
    waitFor: ((callback, options) => waitFor(callback, patient(options))) as typeof waitFor,
    waitUntil: ((callback, options) => waitUntil(callback, patient(options))) as typeof waitUntil,
  });
}
