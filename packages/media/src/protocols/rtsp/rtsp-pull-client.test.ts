import { describe, expect, it } from 'vitest';
import { type PullOutcome, RtspPullClient } from './rtsp-pull-client.ts';

const sdp = [
  ...['v=0', 'o=- 0 0 IN IP4 0.0.0.0', 's=-', 't=0 0', 'a=control:*'],
  ...[
    'm=audio 0 RTP/AVP 8',
    'a=control:track1',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=control:track2',
    '',
  ],
].join('\r\n');

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

function rig(credentials?: { user: string; password: string }) {
  const sent: Sent[] = [];
  const outcomes: PullOutcome[] = [];
  const frames: [number, boolean, string][] = [];
  let isPlaying = false;
  const client = new RtspPullClient(
    { url: 'rtsp://cam/a', credentials, userAgent: 'test', clientNonce: () => 'c0' },
    {
      send(bytes) {
        const [line = '', ...rest] = bytes.toString().trimEnd().split('\r\n');
        const [method = '', url = ''] = line.split(' ');
        sent.push({ method, url, headers: Object.fromEntries(rest.map((each) => each.split(/: (.*)/s).slice(0, 2))) });
      },
      onDescribed: (media) => client.setUp(media.map((_each, index) => index)),
      onPlaying: () => {
        isPlaying = true;
      },
      onFrame: (index, isRtcp, data) => frames.push([index, isRtcp, data.toString('hex')]),
      onServerPorts: () => undefined,
      onEnd: (outcome) => outcomes.push(outcome),
    },
  );
  const respond = (status: string, headers: Record<string, string> = {}, body = '') => {
    const { CSeq } = sent.at(-1)!.headers;
    const all = { CSeq: CSeq ?? '', ...headers, ...(body && { 'Content-Length': String(body.length) }) };
    const lines = Object.entries(all).flatMap(([name, value]) => value.split('\n').map((each) => `${name}: ${each}`));
    client.read(Buffer.from(`RTSP/1.0 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`));
  };
  client.start();
  return { client, sent, outcomes, frames, respond, isPlaying: () => isPlaying, last: () => sent.at(-1)! };
}

const session = { Session: 'abc;timeout=20' };
const digest = (nonce: string, more = '') => ({ 'WWW-Authenticate': `Digest realm="cam", nonce="${nonce}"${more}` });

function play(given: ReturnType<typeof rig>): void {
  const { respond } = given;
  respond('200 OK', { Public: 'OPTIONS, DESCRIBE, GET_PARAMETER' });
  respond('200 OK', { 'Content-Base': 'rtsp://cam/a/' }, sdp);
  respond('200 OK', { ...session, Transport: 'RTP/AVP/TCP;unicast;interleaved=4-5' });
  respond('200 OK', { ...session, Transport: 'RTP/AVP/TCP;unicast;interleaved=2-3' });
  respond('200 OK', session);
}

describe('a client that plays', () => {
  it("describes, sets up each track with the server's parameters, and plays", () => {
    const given = rig();
    play(given);
    expect(given.sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'OPTIONS rtsp://cam/a',
      'DESCRIBE rtsp://cam/a',
      'SETUP rtsp://cam/a/track1',
      'SETUP rtsp://cam/a/track2',
      'PLAY rtsp://cam/a/',
    ]);
    expect(given.sent[3]!.headers).toMatchObject({ Session: 'abc' });
    expect(given.isPlaying()).toBe(true);
    given.client.read(Buffer.from('240400010a24030001ff24080001bb', 'hex'));
    expect(given.frames).toEqual([
      [0, false, '0a'],
      [1, true, 'ff'],
    ]);
  });

  it('sends keep-alive requests within half of the timeout, by OPTIONS if GET_PARAMETER is refused', () => {
    const given = rig();
    play(given);
    const { client, sent, respond } = given;
    client.tick(0);
    client.tick(9_999);
    expect(sent.at(-1)?.method).toBe('PLAY');
    client.tick(10_000);
    expect(sent.at(-1)).toMatchObject({ method: 'GET_PARAMETER', headers: { Session: 'abc' } });
    respond('405 Method Not Allowed');
    client.tick(20_000);
    expect(sent.at(-1)?.method).toBe('OPTIONS');
    // The server does not respond, but the client continues.
    client.tick(30_000);
    expect(sent.filter(({ method }) => method === 'OPTIONS').length).toBe(3);
    expect(given.outcomes).toEqual([]);
    client.end();
    expect(sent.at(-1)?.method).toBe('TEARDOWN');
  });

  it('ends when the server no longer knows the session', () => {
    const given = rig();
    play(given);
    given.client.tick(0);
    given.client.tick(10_000);
    given.respond('454 Session Not Found');
    expect(given.outcomes).toEqual([
      { kind: 'refused', method: 'GET_PARAMETER', status: 454, reason: 'Session Not Found' },
    ]);
  });

  it('plays without a track that the server refuses', () => {
    const given = rig();
    const { respond, last, outcomes } = given;
    respond('501 Not Implemented');
    respond('200 OK', {}, sdp);
    respond('461 Unsupported Transport');
    respond('200 OK', session);
    expect(last().method).toBe('PLAY');
    respond('200 OK', session);
    expect([given.isPlaying(), outcomes]).toEqual([true, []]);
  });

  it('responds to requests of the server, and follows a redirect', () => {
    const given = rig();
    given.client.read(Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n'));
    expect(given.sent.at(-1)).toMatchObject({ method: 'RTSP/1.0', url: '200', headers: { CSeq: '7' } });
    given.client.read(Buffer.from('REDIRECT * RTSP/1.0\r\nCSeq: 8\r\nLocation: rtsp://other/b\r\n\r\n'));
    expect(given.outcomes).toEqual([{ kind: 'redirect', url: 'rtsp://other/b' }]);
  });
});

describe('a client that is refused', () => {
  it.each([
    ['404 Not Found', { kind: 'refused', method: 'DESCRIBE', status: 404, reason: 'Not Found' }],
    ['401 Unauthorized', { kind: 'unauthorized', cause: 'credentials-missing' }],
  ])('reports %s', (status, outcome) => {
    const { respond, outcomes } = rig();
    respond('200 OK');
    respond(status, digest('n'));
    expect(outcomes).toEqual([outcome]);
  });

  it('follows a redirect', () => {
    const { respond, outcomes } = rig();
    respond('200 OK');
    respond('302 Found', { Location: 'rtsp://other/x' });
    expect(outcomes).toEqual([{ kind: 'redirect', url: 'rtsp://other/x' }]);
  });

  it('ends when two tracks have the same channel', () => {
    const { respond } = rig();
    respond('200 OK');
    respond('200 OK', {}, sdp);
    respond('200 OK', { ...session, Transport: 'RTP/AVP/TCP;interleaved=0-1' });
    expect(() => respond('200 OK', { ...session, Transport: 'RTP/AVP/TCP;interleaved=0-1' })).toThrow(/channels/);
  });
});

describe('authentication', () => {
  const credentials = { user: 'admin', password: 'secret' };

  it('sends a refused password only once', () => {
    const { respond, outcomes, sent } = rig(credentials);
    respond('401 Unauthorized', digest('1'));
    respond('401 Unauthorized', digest('2'));
    expect(outcomes).toEqual([{ kind: 'unauthorized', cause: 'credentials-refused' }]);
    expect(sent.filter(({ headers }) => 'Authorization' in headers).length).toBe(1);
  });

  it('uses the new nonce after a stale one', () => {
    const { respond, last, outcomes } = rig(credentials);
    respond('401 Unauthorized', digest('1'));
    respond('401 Unauthorized', digest('2', ', stale=TRUE'));
    expect(last()).toMatchObject({
      method: 'OPTIONS',
      headers: { Authorization: expect.stringContaining('nonce="2"') },
    });
    respond('200 OK');
    expect([last().method, outcomes]).toEqual(['DESCRIBE', []]);
  });

  it('uses a new nonce for every request, once the password was accepted', () => {
    const given = rig(credentials);
    const { respond, last, outcomes } = given;
    const steps: [string, Record<string, string>, string][] = [
      ['OPTIONS', {}, ''],
      ['DESCRIBE', {}, sdp],
      ['SETUP', { ...session, Transport: 'RTP/AVP/TCP;interleaved=0-1' }, ''],
      ['SETUP', { ...session, Transport: 'RTP/AVP/TCP;interleaved=2-3' }, ''],
      ['PLAY', session, ''],
    ];
    for (const [index, [method, headers, body]] of steps.entries()) {
      expect(last().method).toBe(method);
      respond('401 Unauthorized', digest(`n${index}`));
      expect(last().headers.Authorization).toContain(`nonce="n${index}"`);
      respond('200 OK', headers, body);
    }
    expect([given.isPlaying(), outcomes]).toEqual([true, []]);
  });

  it('ends when every response is a challenge', () => {
    const { respond, outcomes, sent } = rig(credentials);
    for (let round = 0; outcomes.length === 0; round++)
      respond('401 Unauthorized', digest(String(round), ', stale=true'));
    expect(outcomes).toEqual([{ kind: 'unauthorized', cause: 'credentials-refused' }]);
    expect(sent.length).toBe(3);
  });

  it('counts the requests of one nonce', () => {
    const { respond, last } = rig(credentials);
    respond('401 Unauthorized', digest('1', ', qop="auth"'));
    expect(last().headers.Authorization).toContain('nc=00000001');
    respond('200 OK');
    expect(last().headers.Authorization).toContain('nc=00000002');
  });

  it('never sends the password in a URL, nor in plain text when Digest is offered', () => {
    const { respond, sent } = rig(credentials);
    respond('401 Unauthorized', { 'WWW-Authenticate': 'Basic realm="cam"\nDigest realm="cam", nonce="1"' });
    respond('200 OK');
    for (const { url, headers } of sent) expect(`${url} ${headers.Authorization}`).not.toMatch(/secret|Basic/);
  });
});
