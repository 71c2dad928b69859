// Error of a failed element query. Prints the page only on demand, because `findBy…` and `waitFor` discard most errors and printing is
// slow.
import { prettyDOM } from '@testing-library/react';

/** The message ends with the page's content at the time of the first read. */
export function elementError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  let text: string | undefined;
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => (text ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')),
  });
  return error;
}
