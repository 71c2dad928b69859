// Error of a failed element query. Prints the page only on demand, because `findBy…` and `waitFor` discard most errors and printing is
// slow.
import { prettyDOM } from '@testing-library/react';

/** Creates an error whose message ends with the content of the page when the message is first read. */
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
