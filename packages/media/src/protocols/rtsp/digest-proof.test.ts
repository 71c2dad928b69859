// Tests the server side with responses that `digest.ts` computes for a client, and with invalid headers.
import { describe, expect, it } from 'vitest';
import { authorize, chooseChallenge } from './digest.ts';
import { digestChallenge, parseDigestProof, provesPassword } from './digest-proof.ts';

const url = 'rtsp://host/live/s';
const clientHeader = (challenge: string, password = 'key') =>
  authorize(
    chooseChallenge([challenge])!,
    { user: 'u"ser', password },
    { method: 'ANNOUNCE', url, count: 1, clientNonce: 'c0ffee' },
  );

describe('a digest response', () => {
  it.each([
    ['of RFC 2069', digestChallenge({ realm: 'SRS Stack', nonce: 'n1', isStale: false })],
    ['with qop', 'Digest realm="SRS Stack", nonce="n1", qop="auth", algorithm=MD5'],
  ])('%s is valid only for its password, method and URL', (_name, challenge) => {
    const header = clientHeader(challenge);
    const proof = parseDigestProof(header, 'ANNOUNCE')!;
    expect(proof).toMatchObject({ user: 'u"ser', realm: 'SRS Stack', nonce: 'n1', uri: url });
    expect(provesPassword(proof, 'key')).toBe(true);
    expect(provesPassword(proof, 'other')).toBe(false);
    expect(provesPassword(parseDigestProof(header, 'DESCRIBE')!, 'key')).toBe(false);
    expect(provesPassword(parseDigestProof(header.replace('/live/s', '/live/t'), 'ANNOUNCE')!, 'key')).toBe(false);
    expect(provesPassword(parseDigestProof(header.replace('n1', 'n2'), 'ANNOUNCE')!, 'key')).toBe(false);
  });

  it('equals that of RFC 7616 §3.9.1', () => {
    const header =
      'Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=MD5, ' +
      'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, ' +
      'cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="8ca523f5e9506fed4657c9700eebdbec"';
    expect(provesPassword(parseDigestProof(header, 'GET')!, 'Circle of Life')).toBe(true);
  });

  it.each([
    [undefined],
    [''],
    ['Basic dTpw'],
    ['Digest'],
    ['Digest username="u", nonce="n", uri="/"'],
    [`Digest username="u", nonce="n", uri="/", response="${'g'.repeat(32)}"`],
    [`Digest username="u", nonce="n", uri="/", response="${'a'.repeat(32)}", algorithm=SHA-256`],
    [`Digest username="u", nonce="n", uri="/", response="${'a'.repeat(32)}", qop=auth-int`],
    [`Digest ${'x="y",'.repeat(2_000)}username="u", nonce="n", uri="/", response="${'a'.repeat(32)}"`],
  ])('is not parsed from %j', (header) => {
    expect(parseDigestProof(header, 'ANNOUNCE')).toBeUndefined();
  });
});

it('a challenge marks a nonce that was too old as stale', () => {
  const challenge = chooseChallenge([digestChallenge({ realm: 'r', nonce: 'n', isStale: true })]);
  expect(challenge).toMatchObject({ scheme: 'digest', hash: 'md5', isStale: true });
});
