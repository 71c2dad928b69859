// Requests the access mode of a stream and exchanges its password for an authorization, which the tab stores for reloads.
import type { WatchMode } from '@srs-stack/contract/values/watching.ts';
import { watchPaths } from '@srs-stack/contract/watch-paths.ts';
import { onServer } from '../server-root.ts';
import type { WatchedStream } from './watched-stream.ts';

type UnlockProblem = 'wrong' | 'slowed' | 'away';

export type Unlocked =
  | { readonly ok: true; readonly query: string }
  | { readonly ok: false; readonly problem: UnlockProblem };

/** Maximum wait for a response, milliseconds. */
const callTimeoutMs = 10_000;
const wrongStatus = 401;
const throttledStatus = 429;

/** Requests the access mode. Returns `open` if the server does not respond, because the server also checks each playback request. */
export async function requestMode(stream: WatchedStream): Promise<WatchMode> {
  try {
    const { data } = await post<{ mode: WatchMode }>(watchPaths.access, stream);
    return data.mode;
  } catch {
    return 'open';
  }
}

/** Exchanges the password for the authorizing query. Never rejects. */
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

/** The stored authorizing query; '' if none is stored. */
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
    // Frames of other sites may have no storage. The viewer must then enter the password again after a reload.
  }
}
