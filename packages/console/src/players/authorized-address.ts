// Adds the query that authorizes playback of protected streams: an operator's query from the server, or a viewer's query from the password
// form of this tab.
import { storageKeys } from '@srs-stack/contract/storage-keys.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import type { MediaSource } from './media-url.ts';
import { onServer } from './server-root.ts';
import { type NamedStream, streamOfSource } from './stream-of-source.ts';
import { storedAuthorization } from './watch/watch-access.ts';

/** Maximum wait for the operator's query, milliseconds. After this time, playback continues without this query. */
const timeoutMs = 3_000;

/** Adds the authorizing query. Addresses of other servers stay unchanged. Never rejects. */
export async function authorizedAddress(source: MediaSource): Promise<string> {
  const url = new URL(source.url);
  const name = streamOfSource(source);
  if (!name || url.host !== location.host || url.searchParams.has('watch')) return source.url;
  const query = (await queryOfOperator(name)) || storedAuthorization(name);
  return query === '' ? source.url : `${source.url}${url.search === '' ? '?' : '&'}${query}`;
}

/** Requests the authorizing query of a logged-in operator; '' for viewers and open streams. Never rejects. */
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

/** Reads the token from storage, because player pages load no console code. */
function storedToken(): string | undefined {
  try {
    const { token } = JSON.parse(localStorage.getItem(storageKeys.token) ?? '{}');
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
