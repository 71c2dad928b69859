// Offers of ICE-lite peers, with both transports: a session opens, and connects when the peer starts DTLS.
import { namedAddresses } from '@srs-stack/media/protocols/sdp/candidates.ts';
import { parseOfferTransport } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { IceLiteAgent } from '@srs-stack/media/protocols/stun/ice-lite-agent.ts';
import { parseStunMessage } from '@srs-stack/media/protocols/stun/stun-message.ts';
import { RtcPort } from '@srs-stack/rtc';
import { expect, it, onTestFinished, vi } from 'vitest';
import { kindOf, loopback, UdpPeer } from '../../rtc/test/rtc-rig.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { liteIce, liteOffer } from './lite-publisher.ts';
import { call, loopbackRtc, startRtc } from './rtc-rig.ts';

async function start(transport: 'node-datachannel' | undefined) {
  const log = recordingLog();
  const rig = await startRtc({ ports: { log }, options: { rtc: { ...loopbackRtc, ...(transport && { transport }) } } });
  rig.ip = loopback;
  const peer = new RtcPort({ host: loopback, port: 0 }, (error) => expect(error).toBeUndefined());
  onTestFinished(async () => {
    peer.close();
    await rig.close();
  });
  return { rig, log, peer };
}

/** Two UDP sockets of an ICE-lite peer: `far` responds to ICE checks of the server. Both forward DTLS between `peer` and the server. */
async function openPlace(peer: RtcPort) {
  const [near, far] = [await UdpPeer.open(), await UdpPeer.open()];
  onTestFinished(() => {
    near.close();
    far.close();
  });
  return {
    near,
    far,
    meet(answer: string): void {
      const { port } = namedAddresses(answer)[0]!;
      const { ufrag } = parseOfferTransport(answer);
      const agent = new IceLiteAgent({
        localUfrag: liteIce.ufrag,
        localPassword: liteIce.password,
        remoteUfrag: ufrag,
      });
      far.onDatagram = (datagram) => {
        if (kindOf(datagram) !== 'stun') return void near.send(datagram, peer.port);
        const reply = agent.handleCheck(datagram, parseStunMessage(datagram), { ip: loopback, port }).response;
        if (reply) void far.send(reply, port);
      };
      near.onDatagram = (datagram) => void far.send(datagram, port);
    },
  };
}

it.each([
  ['the built-in transport', 'actpass', undefined],
  ['the built-in transport', 'active', undefined],
  ['the built-in transport', 'passive', undefined],
  ['the library', 'actpass', 'node-datachannel'],
  ['the library', 'active', 'node-datachannel'],
  ['the library', 'passive', 'node-datachannel'],
] as const)('with %s, an offer with a=setup:%s connects', async (_name, setup, transport) => {
  const { rig, log, peer } = await start(transport);
  const { near, far, meet } = await openPlace(peer);
  const offer = liteOffer(peer.fingerprint, far.port, setup);
  const answer = await call(rig.port, '/rtc/v1/whip/?stream=s', { body: offer });
  expect(answer.status).toBe(201);
  meet(answer.body);
  const { fingerprints, setup: ours } = parseOfferTransport(answer.body);
  if (setup !== 'actpass') expect(ours).toBe(setup === 'passive' ? 'active' : 'passive');
  const onConnected = vi.fn();
  peer.openSession({
    ...{ remoteUfrag: 'x', remotePassword: liteIce.password, isDtlsServer: ours === 'active', fingerprints },
    expectedAt: [{ ip: loopback, port: near.port }],
    events: { onConnected, onClosed: () => undefined, onDatagram: () => undefined },
  });
  await vi.waitUntil(() => onConnected.mock.calls.length > 0 && log.lines.includes('info publish started'), 60_000);
});
