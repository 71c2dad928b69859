// A WebRTC publisher for tests: an ICE-lite peer of the built-in transport that sends the given packets.
import { parseOfferTransport, writeFingerprint } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { RtcPort, type RtcSession } from '@srs-stack/rtc';
import { loopback } from '../../rtc/test/rtc-rig.ts';
import { call, playOffer, type RtcRig } from './rtc-rig.ts';

export const liteIce = { ufrag: 'lite', password: 'p'.repeat(22) };

/** An offer of an ICE-lite peer on this port, to publish. */
export function liteOffer(fingerprint: Buffer, port: number, setup: 'active' | 'passive' | 'actpass'): string {
  return playOffer
    .replaceAll('recvonly', 'sendonly')
    .replace(/^a=candidate:.*\r?\n/gm, '')
    .replace(/^m=/m, 'a=ice-lite\r\nm=')
    .replaceAll('a=setup:actpass', `a=setup:${setup}`)
    .replaceAll(/a=ice-ufrag:[^\r\n]*/g, `a=ice-ufrag:${liteIce.ufrag}`)
    .replaceAll(/a=ice-pwd:[^\r\n]*/g, `a=ice-pwd:${liteIce.password}`)
    .replaceAll(
      /a=fingerprint:[^\r\n]*/g,
      `a=fingerprint:${writeFingerprint({ hash: 'sha-256', digest: fingerprint })}`,
    )
    .concat(`a=candidate:1 1 udp 2130706431 ${loopback} ${port} typ host\r\n`);
}

export interface LitePublisher {
  readonly session: RtcSession;
  /** Payload type of H.264 in the answer. */
  readonly videoType: number;
  close(): void;
}

/**
 * Publishes `live/s` to a rig with the built-in transport. Resolves when media can be sent. `more` lines are appended to the last section
 * of the offer.
 */
export async function publishLite(rig: RtcRig, more: readonly string[] = []): Promise<LitePublisher> {
  const peer = new RtcPort({ host: loopback, port: 0 }, (error) => {
    throw error;
  });
  const offer = liteOffer(peer.fingerprint, peer.port, 'active') + more.map((line) => `${line}\r\n`).join('');
  const { body } = await call(rig.port, '/rtc/v1/whip/?stream=s', { body: offer });
  const { fingerprints } = parseOfferTransport(body);
  const port = Number(/127\.0\.0\.1 (\d+) typ host/.exec(body)?.[1]);
  return new Promise((resolve) => {
    const session = peer.openSession({
      ...{ remoteUfrag: 'server', remotePassword: liteIce.password, isDtlsServer: false, fingerprints },
      expectedAt: [{ ip: loopback, port }],
      events: {
        onConnected: () =>
          resolve({
            session: session!,
            videoType: Number(/a=rtpmap:(\d+) H264/.exec(body)?.[1]),
            close: () => peer.close(),
          }),
        onClosed: () => undefined,
        onDatagram: () => undefined,
      },
    });
  });
}
