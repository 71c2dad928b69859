// Computes the state of the live card from the last response and the time. Pure.
import type { LiveStream, Refusal, ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { defaultVhost } from '@srs-stack/contract/constants.ts';
import { isControlPlaneDown, isSessionExpired } from '../../../api/api-error.ts';

export type LiveResponse = ResponseOf<typeof calls.queryLive>;

export interface LiveCardInput {
  response: LiveResponse | undefined;
  /** Arrival of the response, epoch milliseconds; 0 without a response. */
  receivedAtMs: number;
  failure: Error | null;
  nowMs: number;
  app: string;
  stream: string;
  /** Last time with a publisher, epoch milliseconds; 0 without one. Refusals before this time are ignored. */
  lastPublishedMs: number;
}

/**
 * `loading`: no response yet. `unreachable`: the server does not respond. `refused`: the server responded with an
 * error.
 * `waiting`: no publisher. `connected`: an encoder is connected, but sends no media yet. `live`: media arrives.
 */
export type LiveCardState =
  | { kind: 'loading' }
  | { kind: 'unreachable'; what: 'control-plane' | 'media-server' }
  | { kind: 'refused'; error: Error }
  | { kind: 'waiting'; refusal: RefusalNote | undefined; others: LiveStream[] }
  | ({ kind: 'connected' } & PublishedCard)
  | ({ kind: 'live' } & PublishedCard);

interface PublishedCard {
  stream: LiveStream;
  uptimeMs: number;
  /** Refusal of a second encoder that tried to publish this stream. */
  refusal: RefusalNote | undefined;
}

/** A refused publisher. `sameName` is false if its stream name differs from the selected name, perhaps by a typing error. */
export interface RefusalNote {
  refusal: Refusal;
  sameName: boolean;
  atMs: number;
  agoSeconds: number;
}

/** Maximum age of displayed refusals, milliseconds. */
const refusalRelevantMs = 10 * 60_000;
/** Maximum age of a displayed refusal of a second encoder, milliseconds. */
const rivalRelevantMs = 60_000;
/** Age from which metrics are marked as stale, milliseconds: two polls and a slow network. */
const staleAfterMs = 6_000;

/** A response and its arrival, epoch milliseconds. */
export interface TimedResponse {
  response: LiveResponse;
  atMs: number;
}

/** Time for which the card shows the last good response while the media server is down, milliseconds: longer than a slow restart. */
const graceMs = 30_000;

/**
 * The displayed response. While the media server is briefly unavailable, this is the last good response, marked as
 * stale.
 * The player has a separate connection and keeps playing.
 */
export function responseToShow(
  latest: TimedResponse | undefined,
  lastGood: TimedResponse | undefined,
  nowMs: number,
): TimedResponse | undefined {
  if (latest === undefined || latest.response.mediaServer || lastGood === undefined) return latest;
  return nowMs - lastGood.atMs <= graceMs ? lastGood : latest;
}

export function liveCardState(input: LiveCardInput): LiveCardState {
  const { response, failure } = input;
  // An expired session does not resume, so older data is not shown.
  if (failure && isSessionExpired(failure)) return { kind: 'refused', error: failure };
  if (response === undefined) return withoutResponse(failure);
  if (!response.mediaServer) return { kind: 'unreachable', what: 'media-server' };
  const stream = response.streams.find((candidate) => isSelected(candidate, input));
  if (stream === undefined) {
    const others = response.streams.filter((candidate) => candidate.hasMedia);
    const refusals = recentRefusals(response.refusals, input, refusalRelevantMs);
    const since = refusals.filter(({ atMs }) => atMs > input.lastPublishedMs);
    return { kind: 'waiting', refusal: since.find(({ sameName }) => sameName) ?? since[0], others };
  }
  const uptimeMs = stream.uptimeMs + Math.max(0, input.nowMs - input.receivedAtMs);
  const rivals = recentRefusals(response.refusals, input, rivalRelevantMs).filter(
    ({ sameName, atMs }) => sameName && input.nowMs - atMs < uptimeMs,
  );
  return { kind: stream.hasMedia ? 'live' : 'connected', stream, uptimeMs, refusal: rivals[0] };
}

function withoutResponse(failure: Error | null): LiveCardState {
  if (failure === null) return { kind: 'loading' };
  if (isControlPlaneDown(failure)) return { kind: 'unreachable', what: 'control-plane' };
  return { kind: 'refused', error: failure };
}

/** Age of the last response in seconds, or 0 while the age is below `staleAfterMs`. */
export function staleSeconds(input: Pick<LiveCardInput, 'receivedAtMs' | 'nowMs'>): number {
  const ageMs = input.nowMs - input.receivedAtMs;
  return input.receivedAtMs > 0 && ageMs > staleAfterMs ? Math.floor(ageMs / 1000) : 0;
}

function recentRefusals(refusals: readonly Refusal[], input: LiveCardInput, withinMs: number): RefusalNote[] {
  return refusals
    .filter((refusal) => refusal.action === 'publish')
    .map((refusal) => ({ refusal, sameName: isSelected(refusal, input), atMs: Date.parse(refusal.at) }))
    .filter(({ atMs }) => input.nowMs - atMs <= withinMs)
    .sort((a, b) => b.atMs - a.atMs)
    .map((note) => ({ ...note, agoSeconds: Math.max(0, Math.round((input.nowMs - note.atMs) / 1000)) }));
}

function isSelected(key: { app: string; stream: string; vhost?: string }, input: LiveCardInput): boolean {
  const isDefaultVhost = key.vhost === undefined || key.vhost === '' || key.vhost === defaultVhost;
  return isDefaultVhost && key.app === input.app && key.stream === input.stream;
}
