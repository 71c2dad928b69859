// Set-up file of the end-to-end tests and of the unit tests outside the console. After a test that hung, the rest of its file is skipped,
// because tests that wait for the same event would all hang. `run-tests.ts` later runs the file again, alone.
import { afterEach, beforeEach } from 'vitest';
import { hungPattern } from './patience.ts';

let hasHung = false;

beforeEach(({ skip }) => skip(hasHung, 'an earlier test of this file hung'));

afterEach(({ task }) => {
  if (task.result?.errors?.some(({ message }) => hungPattern.test(message))) hasHung = true;
});
