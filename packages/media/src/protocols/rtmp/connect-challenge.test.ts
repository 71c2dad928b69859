import { describe, expect, it } from 'vitest';
import { respondToChallenge } from './connect-challenge.ts';

const credentials = { user: 'me', password: 'pass word' };
const random = (bytes: number): Buffer => Buffer.from([1, 2, 3, 4].slice(0, bytes));
const respond = (description: string, app = 'live') => respondToChallenge({ description, app, credentials, random });
const needAuth = (mode: string) => `[ AccessManager.Reject ] : [ code=403 need auth; authmod=${mode} ] : `;

// The expected digests come from an independent implementation of MD5.
describe('authentication challenges of servers', () => {
  it.each(['adobe', 'llnw'])('sends the user name first (%s)', (mode) => {
    expect(respond(needAuth(mode))).toEqual({ kind: 'retry', query: `authmod=${mode}&user=me` });
  });

  it("responds to Adobe's challenge with and without opaque", () => {
    const fields = '?reason=needauth&user=me&salt=c2FsdA==&challenge=Y2hhbA==';
    expect(respond(`[ AccessManager.Reject ] : [ authmod=adobe ] : ${fields}&opaque=b3Bh+XVl`)).toEqual({
      kind: 'retry',
      query: 'authmod=adobe&user=me&challenge=01020304&response=jmwBQrTVHILNlvPHRI8oLg==&opaque=b3Bh+XVl',
    });
    expect(respond(`[ AccessManager.Reject ] : [ authmod=adobe ] : ${fields}`)).toEqual({
      kind: 'retry',
      query: 'authmod=adobe&user=me&challenge=01020304&response=7w+ZvznDBu4ygbeD+GiOEA==',
    });
  });

  it.each([
    ['live', 'fca397737ed79d3cfb54ae5f441053d6'],
    ['live/inst', '05c8f4f217dcc04f3e18601380316d26'],
  ])("responds to Limelight's challenge for the application %s", (app, response) => {
    expect(respond('[ AccessManager.Reject ] : [ authmod=llnw ] : ?reason=needauth&user=me&nonce=nonce1', app)).toEqual(
      {
        kind: 'retry',
        query: `authmod=llnw&user=me&nonce=nonce1&cnonce=01020304&nc=00000001&response=${response}`,
      },
    );
  });

  it.each(['authfailed', 'nosuchuser'])('fails at %s', (reason) => {
    expect(respond(`[ AccessManager.Reject ] : [ authmod=adobe ] : ?reason=${reason}&opaque=x`).kind).toBe('refused');
  });

  it('fails without credentials, and ignores other rejections', () => {
    const options = { description: needAuth('adobe'), app: 'live', credentials: undefined, random };
    expect(respondToChallenge(options).kind).toBe('refused');
    expect(respond('Application is not found.').kind).toBe('none');
  });
});
