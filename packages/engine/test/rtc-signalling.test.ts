// Untrusted input of the WebRTC calls: endless bodies, invalid URLs, connections that break at any time.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Verdict } from '../src/ports.ts';
import { maxRtcBodyBytes, rtcBodyTimeoutMs } from '../src/sessions/rtc/rtc-body.ts';
import { parseRtcStreamUrl } from '../src/sessions/rtc/rtc-stream-url.ts';
import { call, playOffer, post, type RtcRig, send, startRtc } from './rtc-rig.ts';
import { until } from './rtmp-server.ts';

let rig: RtcRig;
let verdict: Promise<Verdict>;
let hostCalls: number;
const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);

beforeEach(async () => {
  verdict = Promise.resolve({ allowed: true });
  hostCalls = 0;
  const authorize = (): Promise<Verdict> => {
    hostCalls += 1;
    return verdict;
  };
  rig = await startRtc({ ports: { authorizePlay: authorize, authorizePublish: authorize } });
  uncaught.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(async () => {
  vi.useRealTimers();
  await rig.close();
  process.off('unhandledRejection', note);
  expect(uncaught).toEqual([]);
  expect(rig.errors).toEqual([]);
});

const paths = ['/rtc/v1/whip/', '/rtc/v1/whep/', '/rtc/v1/play/', '/rtc/v1/publish/'];
const jsonCall = (streamurl: string): string => JSON.stringify({ sdp: playOffer, streamurl });

/** Whether the server still responds: a call gets the expected refusal. */
const isServing = async (): Promise<boolean> => (await call(rig.port, '/rtc/v1/whep/', { body: 'v=0' })).status === 406;

describe('a call', () => {
  it('without an offer gets 400', async () => {
    for (const body of ['', '\r\n']) {
      const reply = await call(rig.port, '/rtc/v1/whip/?stream=s', { body });
      expect([reply.status, JSON.parse(reply.body).data.name]).toEqual([400, 'offer-missing']);
    }
    expect(hostCalls).toBe(0);
  });

  it('whose offer has no transport is malformed, not of an unsupported codec', async () => {
    const body = playOffer.replace(/a=ice-pwd:.*\r?\n/g, '');
    const reply = await call(rig.port, '/rtc/v1/whep/?stream=s', { body });
    expect([reply.status, JSON.parse(reply.body).data.name]).toEqual([400, 'protocol-error']);
  });

  it('of another method gets the list of methods, and the accepted media type', async () => {
    const refused = await call(rig.port, '/rtc/v1/whip/', { method: 'PUT' });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'OPTIONS, POST, PATCH, DELETE']);
    const options = await call(rig.port, '/rtc/v1/whip/', { method: 'OPTIONS' });
    expect([options.status, options.headers['accept-post']]).toEqual([200, 'application/sdp']);
  });
});

describe('PATCH of a session', () => {
  const type = 'application/trickle-ice-sdpfrag';
  const ufrag = /a=ice-ufrag:(\S+)/.exec(playOffer)![1];
  const fragment = `a=ice-ufrag:${ufrag}\r\na=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\na=end-of-candidates\r\n`;
  const other = fragment.replace(ufrag!, 'other');

  it.each([
    ['acknowledges candidates', {}, fragment, 204],
    ['acknowledges the end of candidates', {}, 'a=end-of-candidates\r\n', 204],
    ['acknowledges candidates of the session that If-Match names', { 'If-Match': 'own' }, fragment, 204],
    ['refuses another ICE session', { 'If-Match': '"0"' }, fragment, 412],
    ['refuses an ICE restart', { 'If-Match': '*' }, other, 422],
    ['refuses an ICE restart without If-Match', {}, other, 422],
    ['refuses other content', { 'Content-Type': 'application/sdp' }, fragment, 415],
  ])('%s', async (_name, headers: Record<string, string>, body, status) => {
    const opened = await call(rig.port, '/rtc/v1/whep/?stream=s', { body: playOffer });
    if (headers['If-Match'] === 'own') headers['If-Match'] = opened.headers.etag!;
    const reply = await call(rig.port, opened.location, {
      ...{ method: 'PATCH', body },
      headers: { 'Content-Type': type, ...headers },
    });
    expect(reply.status).toBe(status);
    expect(rig.listener.sessionCount).toBe(1);
  });

  it('requires the token of the session', async () => {
    const { location } = await call(rig.port, '/rtc/v1/whep/?stream=s', { body: playOffer });
    const path = location.replace(/token=[^&]+/, 'token=guess');
    const headers = { 'Content-Type': type };
    expect((await call(rig.port, path, { method: 'PATCH', body: fragment, headers })).status).toBe(403);
  });

  it('of an unknown session is handled by its ETag alone: another gateway may have it', async () => {
    const { headers } = await call(rig.port, '/rtc/v1/whep/?stream=s', { body: playOffer });
    const path = '/rtc/v1/whip/?session=elsewhere&token=x';
    for (const [tag, status] of [
      [headers.etag!, 204],
      ['"0"', 404],
    ] as const) {
      const reply = await call(rig.port, path, {
        ...{ method: 'PATCH', body: fragment },
        headers: { 'Content-Type': type, 'If-Match': tag },
      });
      expect(reply.status).toBe(status);
    }
  });
});

describe('a connection that breaks', () => {
  it.each(paths)('at any byte of the body of %s ends only that call', async (path) => {
    const body = '{"sdp":1}';
    for (let length = 0; length < body.length; length++) {
      const socket = await send(rig.port, post(path, body.length, body.slice(0, length)));
      await until(() => rig.listener.unreadBodies.size > 0);
      socket.resetAndDestroy();
      await until(() => rig.listener.unreadBodies.size === 0);
    }
    expect(await isServing()).toBe(true);
    expect(rig.listener.sessionCount).toBe(0);
  });

  it.each([
    ['player', '/rtc/v1/whep/?stream=s', playOffer],
    ['player of the older calls', '/rtc/v1/play/', jsonCall('webrtc://host/live/s')],
    ['publisher', '/rtc/v1/whip/?stream=s', playOffer.replaceAll('recvonly', 'sendonly')],
  ])('during the call of the host for a %s leaves no session, and its end is reported', async (_who, path, body) => {
    let decide = (_verdict: Verdict): void => {};
    verdict = new Promise((resolve) => {
      decide = resolve;
    });
    const socket = await send(rig.port, post(path, Buffer.byteLength(body), body));
    await until(() => hostCalls === 1);
    socket.resetAndDestroy();
    await until(() => rig.finishedCalls === 1);
    decide({ allowed: true });
    await until(() => rig.ended.length === 1);
    expect(rig.listener.sessionCount).toBe(0);
    expect(rig.hub.streams(0)).toEqual([]);
  });
});

describe('streamurl of the older calls', () => {
  it.each(['webrtc:', 'webrtc:///', 'webrtc://%/live/x', 'webrtc://h', 'webrtc://h/live/', '', 'x', 'h'.repeat(5_000)])(
    '%j is refused in the form of SRS',
    async (streamurl) => {
      for (const path of ['/rtc/v1/play/', '/rtc/v1/publish/']) {
        const { status, body } = await call(rig.port, path, { body: jsonCall(streamurl) });
        expect(status).toBe(200);
        expect(JSON.parse(body)).toMatchObject({ code: 400, server: '', service: '', pid: expect.any(String) });
      }
    },
  );

  it.each(['', 'null', '[]', '{"sdp":1}', '{"sdp":"v=0"}', '{"sdp":"v=0","streamurl":{}}'])(
    'a body of %j is refused in the form of SRS',
    async (body) => {
      const { status, body: reply } = await call(rig.port, '/rtc/v1/play/', { body });
      expect({ status, code: JSON.parse(reply).code }).toEqual({ status: 200, code: 400 });
    },
  );

  it('names app, stream and query', () => {
    expect(parseRtcStreamUrl('webrtc://host:1985/a/b/s?secret=X')).toEqual({
      app: 'a/b',
      stream: 's',
      query: 'secret=X',
    });
    expect(parseRtcStreamUrl('webrtc://host/s')).toEqual({ app: undefined, stream: 's', query: '' });
  });

  it('never throws', () => {
    const part = fc.oneof(
      fc.constantFrom('webrtc:', '//', '/', '%', '?', '[', ']', ':', '@', '\\', 'live', '#'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const address = parseRtcStreamUrl(parts.join(''));
        expect(address?.stream).not.toBe('');
      }),
      { numRuns: 2_000 },
    );
  });

  it('any streamurl gets a response', async () => {
    const part = fc.oneof(fc.constantFrom('webrtc://', '%', '/', '[', 'h', 'live'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const body = JSON.stringify({ sdp: 'v=0', streamurl: parts.join('') });
        expect((await call(rig.port, '/rtc/v1/play/', { body })).status).toBe(200);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a body', () => {
  it('that is announced too long is refused before it arrives', async () => {
    for (const [path, most] of [
      ['/rtc/v1/whep/', maxRtcBodyBytes.sdp],
      ['/rtc/v1/play/', maxRtcBodyBytes.json],
    ] as const) {
      const socket = await send(rig.port, post(path, most + 1, ''));
      const [reply] = await socket.toArray();
      expect(String(reply)).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/i);
    }
  });

  it('that becomes too long is refused, and the next call is served', async () => {
    const head = 'POST /rtc/v1/whep/ HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n';
    const socket = await send(rig.port, head);
    socket.on('error', () => {});
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`;
    for (let sent = 0; sent <= maxRtcBodyBytes.sdp; sent += 0x4000) socket.write(chunk);
    await until(() => rig.finishedCalls === 1);
    expect(await isServing()).toBe(true);
    socket.destroy();
  });

  it('that does not arrive in time gets 408, and the connection ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const socket = await send(rig.port, post('/rtc/v1/play/', 100, '{'));
    const reply = socket.toArray();
    while (rig.listener.unreadBodies.size === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(rtcBodyTimeoutMs - 1);
    expect(rig.finishedCalls).toBe(0);
    vi.advanceTimersByTime(1);
    expect(String((await reply)[0])).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close/i);
    expect(rig.listener.unreadBodies.size).toBe(0);
  });
});
