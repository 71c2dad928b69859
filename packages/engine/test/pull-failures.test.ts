// Failure cases of cameras: the pull of a failing camera retries, and pulls of other cameras lose no frame.
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { describe, expect, it } from 'vitest';
import { openPulls, order, type ScriptedRequest, scriptedCamera } from './pull-rig.ts';
import { until } from './rtmp-server.ts';
import { interleaved, opusDescription, opusPacket } from './rtsp-peer.ts';

const session = { Session: '1;timeout=60' };

/** Plays Opus in packets of 20 ms until the connection is closed. */
function serve({ method, socket, respond }: ScriptedRequest): void {
  if (method === 'DESCRIBE') respond('200 OK', { 'Content-Type': 'application/sdp' }, opusDescription);
  else if (method === 'SETUP') respond('200 OK', { ...session, Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' });
  else respond('200 OK', method === 'OPTIONS' ? {} : session);
  if (method !== 'PLAY') return;
  let number = 0;
  const timer = setInterval(() => socket.write(interleaved(0, opusPacket(number++))), 20);
  socket.once('close', () => clearInterval(timer));
}

describe('a camera that', () => {
  it.each([
    [
      'responds with garbage',
      ({ socket }: ScriptedRequest) => socket.write('\u0016\u0003\u0001 nonsense\r\n\r\n'),
      'input-invalid',
    ],
    [
      'closes at DESCRIBE',
      ({ method, socket, respond }) => (method === 'DESCRIBE' ? socket.end() : respond('200 OK')),
      'connection-closed',
    ],
    ['resets', ({ socket }) => socket.resetAndDestroy(), 'connection-closed'],
    ['has no such stream', ({ respond }) => respond('404 Not Found'), 'not-found'],
    ['is full', ({ respond }) => respond('453 Not Enough Bandwidth'), 'failed'],
    [
      'offers only UDP',
      (request) => (request.method === 'SETUP' ? request.respond('461 Unsupported Transport') : serve(request)),
      'failed',
    ],
    ['describes nothing', ({ respond }) => respond('200 OK', {}, 'v=0\r\n'), 'input-invalid'],
    [
      'sends a description of 10 MB',
      ({ method, socket, respond }) => {
        if (method !== 'DESCRIBE') return respond('200 OK');
        socket.write(`RTSP/1.0 200 OK\r\nCSeq: 2\r\nContent-Length: ${10 * 2 ** 20}\r\n\r\n`);
        socket.write(Buffer.alloc(10 * 2 ** 20, 0x61));
      },
      'input-invalid',
    ],
    [
      'sends an endless head',
      ({ socket }) => socket.write(`RTSP/1.0 200 OK\r\n${'X: y\r\n'.repeat(10_000)}`),
      'input-invalid',
    ],
    [
      'redirects to itself',
      ({ url, respond }) => respond('302 Moved', { Location: `${url.replace('rtsp://', 'rtsp://')}` }),
      'failed',
    ],
    [
      'redirects to a forbidden address',
      ({ respond }) => respond('302 Moved', { Location: 'rtsp://169.254.169.254/' }),
      'address-refused',
    ],
  ] as [string, (request: ScriptedRequest) => void, string][])(
    '%s is reported with its reason, and the others continue',
    async (_name, onRequest, reason) => {
      const [bad, good] = await Promise.all([scriptedCamera(onRequest), scriptedCamera(serve)]);
      const rig = await openPulls({ mayContact: (address) => address === '127.0.0.1' });
      rig.pulls.configure([order('bad', bad.url), order('good', good.url)]);
      expect(await rig.untilReason('bad', reason)).toMatchObject({ state: 'retrying' });
      await until(() => rig.rowOf('good').state === 'pulling');
      expect(rig.rowOf('good').reconnects).toBe(0);
    },
  );

  it('hangs in DESCRIBE is disconnected, and played when it responds', async () => {
    const camera = await scriptedCamera((request) => {
      if (request.connection > 1 || request.method !== 'DESCRIBE') serve(request);
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url)]);
    expect(await rig.untilReason('a', 'timeout')).toMatchObject({ detail: 'the source did not respond in time' });
    await until(() => rig.rowOf('a').state === 'pulling');
    expect(rig.rowOf('a')).toMatchObject({ reconnects: 1, reason: 'none' });
  });

  it('becomes silent is disconnected', async () => {
    const camera = await scriptedCamera((request) => {
      serve(request);
      if (request.method === 'PLAY' && request.connection === 1) setTimeout(() => request.socket.emit('close'), 200);
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url)]);
    await rig.untilReason('a', 'stalled');
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('sends a new nonce with every request plays', async () => {
    let nonce = 0;
    const camera = await scriptedCamera((request) => {
      const { head, method, url, respond } = request;
      const hash = (text: string) => createHash('md5').update(text).digest('hex');
      const wanted = hash(`${hash('u:cam:p')}:${nonce}:${hash(`${method}:${url}`)}`);
      if (nonce > 0 && head.includes(`response="${wanted}"`)) {
        nonce++;
        return serve(request);
      }
      return respond('401 Unauthorized', { 'WWW-Authenticate': `Digest realm="cam", nonce="${++nonce}"` });
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url.replace('//', '//u:p@'))]);
    await until(() => rig.rowOf('a').state === 'pulling');
    expect(rig.rowOf('a').reconnects).toBe(0);
  });

  it('loses its session is played in a new one', async () => {
    const camera = await scriptedCamera((request) => {
      const { method, connection, head, respond } = request;
      if (method === 'SETUP') {
        return respond('200 OK', { Session: '1;timeout=4', Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' });
      }
      if (connection === 1 && method === 'OPTIONS' && head.includes('Session')) return respond('454 Session Not Found');
      return serve(request);
    });
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url)]);
    expect(await rig.untilReason('a', 'failed')).toMatchObject({ detail: 'OPTIONS: 454 Session Not Found' });
    await until(() => rig.rowOf('a').state === 'pulling');
  });

  it('redirects is followed, without sending the password to another host', async () => {
    const heads: string[] = [];
    const target = await scriptedCamera((request) => {
      heads.push(request.head);
      serve(request);
    });
    const camera = await scriptedCamera(({ respond }) =>
      respond('302 Moved', { Location: target.url.replace('127.0.0.1', 'localhost') }),
    );
    const rig = await openPulls();
    rig.pulls.configure([order('a', camera.url.replace('//', '//user:password@'))]);
    await until(() => rig.rowOf('a').state === 'pulling');
    expect(heads.join()).not.toMatch(/Authorization|password/);
  });
});

it('a camera on demand that does not respond holds a bounded number of viewers', async () => {
  const { url } = await scriptedCamera(() => undefined);
  const rig = await openPulls();
  rig.pulls.configure([order('a', url, { onDemand: true })]);
  let settled = 0;
  const key = { vhost: defaultVhost, app: 'live', stream: 'a' };
  const waiting = Array.from({ length: 1_500 }, () => rig.pulls.ready(key).then(() => settled++));
  await new Promise(setImmediate);
  expect(settled).toBe(1_500 - 1_024);
  rig.pulls.configure([]);
  await Promise.all(waiting);
});

describe('a public camera that redirects into a private network', () => {
  const isPrivate = (address: string) => address === '127.0.0.2';
  const redirecting = () =>
    scriptedCamera(({ respond }) => respond('302 Moved', { Location: 'rtsp://127.0.0.2:1/inside' }));

  it('is refused', async () => {
    const { url } = await redirecting();
    const rig = await openPulls({ isPrivate });
    rig.pulls.configure([order('a', url)]);
    await until(() => rig.rowOf('a').reason !== 'none');
    expect(rig.rowOf('a')).toMatchObject({
      reason: 'address-refused',
      fault: 'leads-inward',
      subject: '127.0.0.2',
    });
  });

  it('is followed into a network that the operator named', async () => {
    const { url } = await redirecting();
    const rig = await openPulls({ isPrivate, isSourceNetwork: isPrivate });
    rig.pulls.configure([order('a', url)]);
    await rig.untilReason('a', 'connection-refused');
  });
});

it('20 unreachable cameras do not affect the packets of others', async () => {
  const cameras = await Promise.all(Array.from({ length: 20 }, () => scriptedCamera(serve)));
  const rig = await openPulls();
  const unreachable = cameras.map((_camera, index) => order(`unreachable${index}`, `rtsp://127.0.0.1:1/${index}`));
  rig.pulls.configure([...cameras.map(({ url }, index) => order(`cam${index}`, url)), ...unreachable]);
  await until(() => cameras.every((_camera, index) => rig.rowOf(`cam${index}`).state === 'pulling'));
  for (const [index] of unreachable.entries()) await until(() => rig.rowOf(`unreachable${index}`).reconnects > 1);
  for (const index of cameras.keys()) {
    expect(rig.rowOf(`cam${index}`)).toMatchObject({ state: 'pulling', reconnects: 0, lostPackets: 0 });
  }
});

it('a publisher refused by the host and a busy name are reported as reasons', async () => {
  const camera = await scriptedCamera(serve);
  const refused = await openPulls({ allows: false });
  refused.pulls.configure([order('a', camera.url)]);
  expect(await refused.untilReason('a', 'publish-rejected')).toMatchObject({ detail: 'the publish secret is wrong' });
  const rig = await openPulls();
  rig.pulls.configure([order('a', camera.url), order('b', camera.url, { stream: 'a' })]);
  await until(() => [rig.rowOf('a'), rig.rowOf('b')].some(({ reason }) => reason === 'publish-rejected'));
  await until(() => [rig.rowOf('a'), rig.rowOf('b')].some(({ state }) => state === 'pulling'));
});

it('a changed order replaces the connection; an unchanged one does not', async () => {
  const camera = await scriptedCamera(serve);
  const rig = await openPulls();
  rig.pulls.configure([order('a', camera.url)]);
  await until(() => rig.rowOf('a').state === 'pulling');
  rig.pulls.configure([order('a', camera.url)]);
  expect(camera.connections()).toBe(1);
  rig.pulls.configure([order('a', `${camera.url}/other`)]);
  await until(() => camera.connections() === 2 && rig.rowOf('a').state === 'pulling');
  connect(camera.port, '127.0.0.1').destroy();
});
