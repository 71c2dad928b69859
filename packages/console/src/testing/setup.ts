// What a DOM without layout lacks, and a clean page for every test: many files share one.
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { checkAnswersBySchema } from '../api/schema-check.ts';
import { elementError } from './element-error.ts';

checkAnswersBySchema();

/** Screens are fetched when opened; on a busy machine that takes longer than the library's default, milliseconds. */
configure({ asyncUtilTimeout: 20_000, getElementError: elementError });

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
  // The answer of the server check is logged by design.
  vi.spyOn(console, 'info').mockImplementation(() => {});
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  notifications.clean();
  for (const link of document.head.querySelectorAll('link')) link.remove();
  // Browsers have it; this DOM does not, until a test gives it one.
  Reflect.deleteProperty(document, 'execCommand');
});
