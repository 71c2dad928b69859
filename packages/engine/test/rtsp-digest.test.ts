// Authentication of RTSP publishers over a plain socket: the offered schemes, and intercepted, reused or invented responses.
import { authorize, chooseChallenge } from '@srs-stack/media/protocols/rtsp/digest.ts';
import { provesPassword } from '@srs-stack/media/protocols/rtsp/digest-proof.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { opusDescription, type RtspEngine, RtspPeer, type RtspResponse, startRtspEngine } from './rtsp-peer.ts';

let host: RtspEngine;
let peers: RtspPeer[];
beforeEach(async () => {
  peers = [];
  host = await startRtspEngine(({ type, digest, param }) =>
    type === 'rtsp-play' || (digest && provesPassword(digest, 'key')) || param === '?secret=key'
      ? { allowed: true }
      : { allowed: false, reason: 'publish-secret-wrong', detail: 'the publish secret is wrong' },
  );
});
afterEach(async () => {
  for (const { socket } of peers) socket.destroy();
  await host.engine.close();
});

async function connect(): Promise<RtspPeer> {
  const peer = await RtspPeer.connect(host.port);
  peers.push(peer);
  return peer;
}

const announce = (peer: RtspPeer, header?: string, url = host.url()) =>
  peer.request('ANNOUNCE', url, header === undefined ? {} : { Authorization: header }, opusDescription);
const proofFor = ({ challenges }: RtspResponse, password = 'key', url = host.url()) =>
  authorize(
    chooseChallenge(challenges)!,
    { user: 'encoder', password },
    { method: 'ANNOUNCE', url, count: 1, clientNonce: '' },
  );

it('offers Digest, then Basic, and accepts both', async () => {
  const peer = await connect();
  const refused = await announce(peer);
  expect(refused.status).toBe(401);
  expect(refused.challenges).toEqual([
    expect.stringMatching(/^Digest realm="SRS Stack", nonce="[^"]{32}", algorithm=MD5$/),
    'Basic realm="SRS Stack"',
  ]);
  expect((await announce(peer, proofFor(refused))).status).toBe(200);
  expect(host.hostCalls.at(-1)).toMatchObject({ param: '', digest: { user: 'encoder' } });

  const basic = `Basic ${Buffer.from('encoder:key').toString('base64')}`;
  expect((await announce(await connect(), basic, host.url('live/other'))).status).toBe(200);
  expect(host.engine.refusals()).toEqual([]);
});

it('a digest response is valid for one connection and one stream, and the host is not called for others', async () => {
  const first = await connect();
  const proof = proofFor(await announce(first));
  const hostCalls = host.hostCalls.length;
  const elsewhere = await announce(await connect(), proof);
  expect(elsewhere.status).toBe(401);
  expect(elsewhere.challenges[0]).toMatch(/stale=true$/);
  expect((await announce(first, proof, host.url('live/other'))).status).toBe(401);
  expect(host.hostCalls).toHaveLength(hostCalls);
});

it('after a stale nonce the client continues with the new one', async () => {
  const peer = await connect();
  const intercepted = proofFor(await announce(await connect()));
  const stale = await announce(peer, intercepted);
  expect((await announce(peer, proofFor(stale))).status).toBe(200);
});

it('a wrong password is refused and reported, and each attempt needs a new nonce', async () => {
  const peer = await connect();
  const wrong = proofFor(await announce(peer), 'other');
  const refused = await announce(peer, wrong);
  expect(refused.status).toBe(401);
  expect(refused.challenges[0]).not.toContain('stale');
  expect(host.engine.refusals()).toMatchObject([{ protocol: 'rtsp', reason: 'publish-secret-wrong' }]);
  expect((await announce(peer, wrong)).challenges[0]).toContain('stale=true');
  expect((await announce(peer, proofFor(refused, 'other'))).status).toBe(401);
});
