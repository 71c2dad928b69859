import { describe, expect, it } from 'vitest';
import { authorize, chooseChallenge } from './digest.ts';

const credentials = { user: 'Mufasa', password: 'Circle of Life' };
const request = { method: 'GET', url: '/dir/index.html', count: 1 };

describe('Digest', () => {
  // RFC 7616 §3.9.1.
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('responds with %s as in RFC 7616', (algorithm, response) => {
    const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
    const header = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${nonce}", opaque="FQhe"`;
    const clientNonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
    const authorization = authorize(chooseChallenge([header])!, credentials, { ...request, clientNonce });
    expect(authorization).toContain(`response="${response}"`);
    expect(authorization).toContain(`qop=auth, nc=00000001, cnonce="${clientNonce}", opaque="FQhe"`);
    expect(authorization).toContain(`algorithm=${algorithm}`);
  });

  it('responds to servers without qop as RFC 2069 defines', () => {
    const challenge = chooseChallenge([
      'Digest realm="testrealm@host.com",nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
    ])!;
    const authorization = authorize(challenge, credentials, { ...request, clientNonce: '' });
    expect(authorization).toMatch(/^Digest username="Mufasa", realm=.*, response="[0-9a-f]{32}"$/);
  });

  it('escapes quotes and drops line breaks', () => {
    const challenge = chooseChallenge(['Digest realm="a\\"b", nonce="n"'])!;
    const authorization = authorize(challenge, { user: 'u"\r\nX: y', password: '' }, { ...request, clientNonce: '' });
    expect(authorization).toContain('username="u\\"X: y", realm="a\\"b"');
  });
});

describe('the selected challenge', () => {
  it.each([
    [
      'SHA-256 before MD5 before Basic',
      ['Basic realm="c"', 'Digest realm="c", nonce="1"', 'Digest realm="c", nonce="2", algorithm=SHA-256'],
      'sha256',
    ],
    ['the best of one header', ['Basic realm="c", Digest realm="c", nonce="1", algorithm="MD5"'], 'md5'],
    ['Basic where nothing else is offered', ['Basic realm="c"'], 'basic'],
    ['Basic where Digest cannot be computed', ['Digest realm="c", nonce="1", qop="auth-int"', 'basic'], 'basic'],
  ])('is %s', (_name, headers, expected) => {
    const challenge = chooseChallenge(headers)!;
    expect(challenge.scheme === 'basic' ? 'basic' : challenge.hash).toBe(expected);
  });

  it.each([[''], ['Bearer realm="c"'], ['Digest realm="c"'], ['Digest nonce="n", algorithm=SHA-512-256']])(
    'is undefined for %j',
    (header) => {
      expect(chooseChallenge([header])).toBeUndefined();
    },
  );
});
