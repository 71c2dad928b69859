// Adds what a DOM without layout lacks, and cleans the page for every test: many files share one.
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { patience } from '../../../../scripts/test-run/patience.ts';
import { checkResponsesBySchema } from '../api/schema-check.ts';
import { elementError } from './element-error.ts';
import { noteNoOwnerStacks } from './no-owner-stacks.ts';

checkResponsesBySchema();
noteNoOwnerStacks();

/** Screens load when opened. Shorter than the timeout of a test, so that the failure names the missing element, milliseconds. */
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
  // The failed server check is logged by design.
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  notifications.clean();
  for (const link of document.head.querySelectorAll('link')) link.remove();
  // Browsers have it; this DOM lacks it until a test provides one.
  Reflect.deleteProperty(document, 'execCommand');
});
