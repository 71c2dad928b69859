import { authorize, chooseChallenge } from '@srs-stack/media/protocols/rtsp/digest.ts';
import { beforeEach, expect, it } from 'vitest';
import { DigestNonce } from './digest-nonce.ts';

const url = 'rtsp://host/live/s';
let nowMs: number;
let nonce: DigestNonce;
beforeEach(() => {
  nowMs = 0;
  nonce = new DigestNonce(() => nowMs);
});

const requestFor = (challenge: string, hashed = url) => {
  const header = authorize(
    chooseChallenge([challenge])!,
    { user: 'u', password: 'p' },
    { method: 'ANNOUNCE', url: hashed, count: 1, clientNonce: '' },
  );
  return { method: 'ANNOUNCE', url, headers: new Map([['authorization', header]]), body: '' };
};

it.each([[url], ['/live/s']])('takes a proof for %s once', (hashed) => {
  const request = requestFor(nonce.challenge(false), hashed);
  expect(nonce.take(request)).toMatchObject({ user: 'u', uri: hashed });
  expect(nonce.take(request)).toBe('stale');
});

it('accepts no proof with an expired, replaced or unknown nonce, nor for another stream', () => {
  const old = requestFor(nonce.challenge(false));
  nowMs = 60_001;
  expect(nonce.take(old)).toBe('stale');
  const replaced = requestFor(nonce.challenge(false));
  nonce.challenge(true);
  expect(nonce.take(replaced)).toBe('stale');
  expect(nonce.take(requestFor(new DigestNonce(() => nowMs).challenge(false)))).toBe('stale');
  expect(nonce.take(requestFor(nonce.challenge(false), 'rtsp://host/live/other'))).toBe('stale');
});

it('ignores requests without a proof', () => {
  expect(nonce.take({ ...requestFor(nonce.challenge(false)), headers: new Map() })).toBeUndefined();
});
