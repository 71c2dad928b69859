// Authorizes playback of protected streams of this server. For a logged-in operator, it requests a query that authorizes the player; for a
// viewer, it uses the query that the password entered in this tab returned.
import { storageKeys } from '@srs-stack/contract/storage-keys.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import type { MediaSource } from './media-url.ts';
import { onServer } from './server-root.ts';
import { type NamedStream, streamOfSource } from './stream-of-source.ts';
import { storedAuthorization } from './watch/watch-access.ts';

/** If the server has not responded after this time, the media is requested without authorization, milliseconds. */
const timeoutMs = 3_000;

/** The address with the query that authorizes playback; unchanged for other servers and without an authorization. Never rejects. */
export async function authorizedAddress(source: MediaSource): Promise<string> {
  const url = new URL(source.url);
  const name = streamOfSource(source);
  if (!name || url.host !== location.host || url.searchParams.has('watch')) return source.url;
  const query = (await queryOfOperator(name)) || storedAuthorization(name);
  return query === '' ? source.url : `${source.url}${url.search === '' ? '?' : '&'}${query}`;
}

/** The authorizing query for a logged-in operator; empty for any other viewer and for an open stream. Never rejects. */
async function queryOfOperator(name: NamedStream): Promise<string> {
  const token = storedToken();
  if (token === undefined) return '';
  try {
    const response = await fetch(onServer(watchPaths.console), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...name, token }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const query: unknown = (await response.json())?.data?.query;
    return typeof query === 'string' ? query : '';
  } catch {
    return '';
  }
}

/** The console's credential in this browser, read directly because the player pages load no console code. */
function storedToken(): string | undefined {
  try {
    const { token } = JSON.parse(localStorage.getItem(storageKeys.token) ?? '{}');
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
