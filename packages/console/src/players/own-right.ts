// Opens streams of this server that not everybody may watch for who is logged in here: the player asks for a query of its own.
import { storageKeys } from '@srs-stack/contract/storage-keys.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import type { MediaSource } from './media-url.ts';
import { streamOfSource } from './stream-of-source.ts';

/** A server that does not answer by then is asked for the media as it is, milliseconds. */
const timeoutMs = 3_000;

/** The address with what opens it; as it is for who is not logged in, and for other servers. Never rejects. */
export async function addressForOperator(source: MediaSource): Promise<string> {
  const url = new URL(source.url);
  const token = storedToken();
  const name = streamOfSource(source);
  if (token === undefined || !name || url.host !== location.host || url.searchParams.has('watch')) return source.url;
  try {
    const response = await fetch(watchPaths.console, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...name, token }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const query: unknown = (await response.json())?.data?.query;
    if (typeof query !== 'string' || query === '') return source.url;
    return `${source.url}${url.search === '' ? '?' : '&'}${query}`;
  } catch {
    return source.url;
  }
}

/** Of the console in this browser; the player pages stand alone, so it is read as they find it. */
function storedToken(): string | undefined {
  try {
    const { token } = JSON.parse(localStorage.getItem(storageKeys.token) ?? '{}');
    return typeof token === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
