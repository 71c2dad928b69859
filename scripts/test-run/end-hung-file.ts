// Loaded before every test file of the servers: a file in which a test hung ends there. It is run again, alone (`run-tests.ts`): what waits
// for the same thing would hang as long, one test after the other.
import { afterEach, beforeEach } from 'vitest';
import { hungPattern } from './patience.ts';

let hasHung = false;

beforeEach(({ skip }) => skip(hasHung, 'a test before it hung'));

afterEach(({ task }) => {
  if (task.result?.errors?.some(({ message }) => hungPattern.test(message))) hasHung = true;
});
