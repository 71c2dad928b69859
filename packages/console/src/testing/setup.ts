// Adds functions that the simulated DOM lacks, and resets the page for every test, because test files share a page.
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { patience } from '../../../../scripts/test-run/patience.ts';
import { checkResponsesBySchema } from '../api/schema-check.ts';
import { elementError } from './element-error.ts';
import { noteNoOwnerStacks } from './no-owner-stacks.ts';

checkResponsesBySchema();
noteNoOwnerStacks();

/** Timeout of element queries, milliseconds. Shorter than the timeout of a test, so that the failure names the missing element. */
const waitMs = 45_000 * patience;
configure({ asyncUtilTimeout: waitMs, getElementError: elementError });

class NoResizes {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= NoResizes as unknown as typeof ResizeObserver;
Element.prototype.scrollIntoView ??= () => {};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.title = '';
  // Silenced, because some tests cause failures that the console logs.
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  notifications.clean();
  for (const link of document.head.querySelectorAll('link')) link.remove();
  // Removes a function that a test may have added to the DOM.
  Reflect.deleteProperty(document, 'execCommand');
});
