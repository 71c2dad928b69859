// What a query throws that finds nothing: its message prints the page, but only for who reads it. `findBy…` and `waitFor` throw
// most of these away and look again, and printing takes them longer than looking.
import { prettyDOM } from '@testing-library/react';

/** An error whose message ends with the page as it is when the message is read first. */
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
