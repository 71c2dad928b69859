// Which requests are quick calls: such a path and nothing that could change the answer. Pure.
import type { IncomingMessage } from 'node:http';
import { maxQuickBearerLength, type QuickQuestion, quickCallOfPath } from '@srs-stack/contract/quick-calls.ts';

/** As the control plane reads it: two words with one space between; the scheme in any case. */
const bearerHeader = /^bearer ([^ ]+)$/i;
/** What a client that has nothing to say sends as body. */
const emptyObject = '{}';

/**
 * @param body complete; null for none.
 * @returns undefined for a request that is to be asked in full: another method, a parameter, a body, a credential in another place.
 */
export function quickQuestionOf(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  pathname: string,
  body: Buffer | null,
): QuickQuestion | undefined {
  const call = quickCallOfPath.get(pathname);
  if (!call || url !== pathname || (method !== 'GET' && method !== 'POST')) return undefined;
  if (body !== null && !(body.length === emptyObject.length && body.toString('latin1') === emptyObject))
    return undefined;
  const bearer = bearerHeader.exec(headers.authorization ?? '')?.[1];
  return bearer === undefined || bearer.length > maxQuickBearerLength ? undefined : { call, bearer };
}
