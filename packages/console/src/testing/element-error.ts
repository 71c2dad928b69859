// The error of a query that finds nothing. Its message prints the page on demand: `findBy…` and `waitFor` discard most of these errors and
// retry, and printing takes longer than the search.
import { prettyDOM } from '@testing-library/react';

/** An error whose message ends with the page's content at the time when the message is first read. */
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
