// Decides which requests are quick calls: a path of the list, and nothing that could change the response. Pure.
import type { IncomingMessage } from 'node:http';
import { maxQuickBearerLength, type QuickQuestion, quickCallOfPath } from '@srs-stack/contract/quick-calls.ts';

/** As the control plane parses it: scheme and token with one space; the scheme in any case. */
const bearerHeader = /^bearer ([^ ]+)$/i;
/** Body that clients send when they have no parameters. */
const emptyObject = '{}';

/**
 * @param body complete; null for none.
 * @returns undefined for a request that must be sent in full: another method, a parameter, a body, a credential in another place.
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
