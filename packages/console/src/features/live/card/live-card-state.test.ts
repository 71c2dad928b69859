import type { LiveStream, Refusal } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../api/api-error.ts';
import { liveStreamFixture as streamOf } from '../testing.tsx';
import {
  type LiveCardInput,
  type LiveResponse,
  liveCardState,
  responseToShow,
  staleSeconds,
} from './live-card-state.ts';

const noResponse = new ApiError({ kind: 'network', message: '', url: '/x' });
const expired = new ApiError({ kind: 'refused', message: '', url: '/x', status: 401, code: 2001 });
const nowMs = Date.parse('2026-06-01T12:00:00Z');

function refusalOf(change: Partial<Refusal> = {}): Refusal {
  return {
    at: '2026-06-01T11:59:48+00:00',
    protocol: 'rtmp',
    action: 'publish',
    ip: '10.0.0.7',
    app: 'live',
    stream: 'livestream',
    reason: 'publish-secret-wrong',
    detail: 'the publish secret is missing or wrong',
    ...change,
  };
}

function stateOf(response: Partial<LiveResponse> | undefined, change: Partial<LiveCardInput> = {}) {
  const full = response && { mediaServer: true, streams: [] as LiveStream[], refusals: [] as Refusal[], ...response };
  return liveCardState({
    response: full,
    receivedAtMs: nowMs,
    failure: null,
    nowMs,
    app: 'live',
    stream: 'livestream',
    lastPublishedMs: 0,
    ...change,
  });
}

describe('live card', () => {
  it.each([
    ['loading before the first response', undefined, {}, 'loading'],
    ['unreachable when the first call failed', undefined, { failure: noResponse }, 'unreachable'],
    ['unreachable while the media server is unavailable', { mediaServer: false }, {}, 'unreachable'],
    ['waiting while nobody publishes', {}, {}, 'waiting'],
    ['waiting while only another name is live', { streams: [streamOf({ stream: 'lobby' })] }, {}, 'waiting'],
    ['waiting while only another app is live', { streams: [streamOf({ app: 'show' })] }, {}, 'waiting'],
    ['waiting while only another virtual host is live', { streams: [streamOf({ vhost: 'a.b' })] }, {}, 'waiting'],
    ['connected before media', { streams: [streamOf({ hasMedia: false })] }, {}, 'connected'],
    ['live with media', { streams: [streamOf()] }, {}, 'live'],
    ['live with the last response while calls fail', { streams: [streamOf()] }, { failure: noResponse }, 'live'],
    ['live although an older attempt was refused', { streams: [streamOf()], refusals: [refusalOf()] }, {}, 'live'],
  ] as const)('is %s', (_name, response, change, kind) => {
    expect(stateOf(response as Partial<LiveResponse> | undefined, change).kind).toBe(kind);
  });

  it('reports an ended session, also when streams were known before', () => {
    const refused = { kind: 'refused', error: expired };
    expect(stateOf(undefined, { failure: expired })).toEqual(refused);
    expect(stateOf({ streams: [streamOf()] }, { failure: expired })).toEqual(refused);
  });

  it('reports whether the control plane or the media server does not respond', () => {
    expect(stateOf(undefined, { failure: noResponse })).toEqual({ kind: 'unreachable', what: 'control-plane' });
    expect(stateOf({ mediaServer: false })).toEqual({ kind: 'unreachable', what: 'media-server' });
  });

  it('continues the uptime between responses', () => {
    const state = stateOf({ streams: [streamOf({ uptimeMs: 5_000 })] }, { nowMs: nowMs + 1_500 });
    expect(state).toMatchObject({ kind: 'live', uptimeMs: 6_500 });
  });

  it('suggests only names that have video', () => {
    const streams = [streamOf({ stream: 'lobby' }), streamOf({ stream: 'silent', hasMedia: false })];
    const state = stateOf({ streams });
    expect(state.kind === 'waiting' && state.others.map(({ stream }) => stream)).toEqual(['lobby']);
  });
});

describe('refusal shown while waiting', () => {
  const noteOf = (refusals: Refusal[], change: Partial<LiveCardInput> = {}) => {
    const state = stateOf({ refusals }, change);
    return state.kind === 'waiting' ? state.refusal : undefined;
  };

  it('is the newest of this name with its age', () => {
    const older = refusalOf({ at: '2026-06-01T11:58:00Z', reason: 'stream-busy' });
    expect(noteOf([older, refusalOf()])).toMatchObject({
      sameName: true,
      agoSeconds: 12,
      refusal: { reason: 'publish-secret-wrong' },
    });
  });

  it('prefers this name over a newer refusal of another', () => {
    const other = refusalOf({ at: '2026-06-01T11:59:59Z', stream: 'else' });
    expect(noteOf([other, refusalOf()])?.sameName).toBe(true);
  });

  it('falls back to another name, which may be the mistake', () => {
    const mistyped = refusalOf({ stream: 'my stream?', reason: 'name-invalid' });
    expect(noteOf([mistyped])).toMatchObject({ sameName: false, refusal: { reason: 'name-invalid' } });
  });

  it.each([
    ['a refused player', refusalOf({ action: 'play' })],
    ['an old one', refusalOf({ at: '2026-06-01T11:40:00Z' })],
    ['one without a readable time', refusalOf({ at: 'yesterday' })],
  ])('is not %s', (_name, refusal) => {
    expect(noteOf([refusal])).toBeUndefined();
  });

  it('is cleared once an encoder connects after it', () => {
    expect(noteOf([refusalOf()], { lastPublishedMs: Date.parse('2026-06-01T11:59:50Z') })).toBeUndefined();
    expect(noteOf([refusalOf()], { lastPublishedMs: Date.parse('2026-06-01T11:59:40Z') })).toBeDefined();
  });

  it('is never from the future when clocks differ', () => {
    expect(noteOf([refusalOf({ at: '2026-06-01T12:00:05Z' })])?.agoSeconds).toBe(0);
  });
});

describe('refusal shown beside a live stream', () => {
  const rivalOf = (refusals: Refusal[], uptimeMs = 3_600_000) => {
    const state = stateOf({ streams: [streamOf({ uptimeMs })], refusals });
    return state.kind === 'live' ? state.refusal?.refusal.reason : undefined;
  };

  it('is the second encoder that requested the name', () => {
    expect(rivalOf([refusalOf({ reason: 'stream-busy' })])).toBe('stream-busy');
  });

  it.each([
    ['of another name', [refusalOf({ stream: 'lobby' })], 3_600_000],
    ['from before this stream began', [refusalOf()], 5_000],
    ['older than a minute', [refusalOf({ at: '2026-06-01T11:58:00Z' })], 3_600_000],
  ])('is not one %s', (_name, refusals, uptimeMs) => {
    expect(rivalOf(refusals, uptimeMs)).toBeUndefined();
  });
});

describe('response to show', () => {
  const good = { response: { mediaServer: true, streams: [streamOf()], refusals: [] }, atMs: nowMs };
  const away = (atMs: number) => ({ response: { mediaServer: false, streams: [], refusals: [] }, atMs });

  it.each([
    ['the first one, good or not', away(nowMs), undefined, nowMs, 'latest'],
    ['the last good one during a restart of the media server', away(nowMs + 4_000), good, nowMs + 4_000, 'good'],
    ['the latest one if the media server stays unavailable', away(nowMs + 31_000), good, nowMs + 31_000, 'latest'],
  ] as const)('is %s', (_name, latest, lastGood, atMs, expected) => {
    expect(responseToShow(latest, lastGood, atMs)).toBe(expected === 'good' ? good : latest);
  });

  it('is nothing before the first response', () => {
    expect(responseToShow(undefined, undefined, nowMs)).toBeUndefined();
  });
});

describe('age of the numbers', () => {
  it.each([
    [0, 0],
    [2_500, 0],
    [6_000, 0],
    [12_400, 12],
  ])('%i ms old counts as stale for %i s', (ageMs, seconds) => {
    expect(staleSeconds({ receivedAtMs: nowMs, nowMs: nowMs + ageMs })).toBe(seconds);
  });

  it('is nothing without a response', () => {
    expect(staleSeconds({ receivedAtMs: 0, nowMs })).toBe(0);
  });
});
