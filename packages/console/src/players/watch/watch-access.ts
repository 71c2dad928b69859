// The access mode of a stream, and the exchange of its password for an authorization. The authorization is stored for this tab, so that
// playback continues after a reload.
import type { WatchMode } from '@srs-stack/contract/values/watching.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import { onServer } from '../server-root.ts';
import type { WatchedStream } from './watched-stream.ts';

/** Why a password did not open the stream. */
type UnlockProblem = 'wrong' | 'slowed' | 'away';

export type Unlocked =
  | { readonly ok: true; readonly query: string }
  | { readonly ok: false; readonly problem: UnlockProblem };

/** A call without a response after this time has failed, milliseconds. */
const callTimeoutMs = 10_000;
const wrongStatus = 401;
const throttledStatus = 429;

/** Requests the access mode of the stream. `open` if the server does not respond, because it authorizes each request anyway. */
export async function requestMode(stream: WatchedStream): Promise<WatchMode> {
  try {
    const { data } = await post<{ mode: WatchMode }>(watchPaths.access, stream);
    return data.mode;
  } catch {
    return 'open';
  }
}

/** Exchanges the password for the query that opens the stream. Never rejects. */
export async function unlock(stream: WatchedStream, password: string): Promise<Unlocked> {
  try {
    const { data, status } = await post<{ query: string }>(watchPaths.unlock, { ...stream, password });
    if (status === wrongStatus) return { ok: false, problem: 'wrong' };
    if (status === throttledStatus) return { ok: false, problem: 'slowed' };
    return data.query === undefined ? { ok: false, problem: 'away' } : { ok: true, query: data.query };
  } catch {
    return { ok: false, problem: 'away' };
  }
}

async function post<Data>(path: string, body: object): Promise<{ status: number; data: Partial<Data> & Data }> {
  const response = await fetch(onServer(path), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const { data } = (await response.json()) as { data: Partial<Data> & Data };
  return { status: response.status, data };
}

const keyOf = ({ app, stream }: WatchedStream) => `SRS_STACK_WATCH ${app}/${stream}`;

/** The query of an earlier password; '' if there is none, or the browser has no storage. */
export function storedAuthorization(stream: WatchedStream): string {
  try {
    return sessionStorage.getItem(keyOf(stream)) ?? '';
  } catch {
    return '';
  }
}

export function saveAuthorization(stream: WatchedStream, query: string): void {
  try {
    if (query === '') sessionStorage.removeItem(keyOf(stream));
    else sessionStorage.setItem(keyOf(stream), query);
  } catch {
    // A frame of another site may have no storage: the viewer must enter the password again after a reload.
  }
}
