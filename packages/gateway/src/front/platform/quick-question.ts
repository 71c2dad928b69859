// Decides which requests are quick calls: a listed path, and nothing else that could affect the response. Pure.
import type { IncomingMessage } from 'node:http';
import { maxQuickBearerLength, type QuickQuestion, quickCallOfPath } from '@srs-stack/contract/quick-calls.ts';

/** Scheme (any case) and token, separated by one space, as the control plane parses this header. */
const bearerHeader = /^bearer ([^ ]+)$/i;
/** Body of calls without parameters. */
const emptyObject = '{}';

/**
 * @param body complete; null without a body.
 * @returns undefined for a request that must be sent as a normal call: another method or path, a parameter, a body other than `{}`, or no
 * bearer credential of at most `maxQuickBearerLength` characters in `Authorization`.
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
