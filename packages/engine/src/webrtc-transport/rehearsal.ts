// One session from offer to goodbye with a guest in this process, over the real port: the first viewers of a server would otherwise wait for
// code that never ran (names that OpenSSL looks up once, functions that are compiled at their first call).
import { parseOfferTransport, writeFingerprint } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { RtcGuest } from '@srs-stack/rtc';
import type { RtcPeer, RtcRehearsal, RtcTransport } from './webrtc-transport.ts';

/** A check or a flight may get lost where the kernel's queue is full: then it is given up, milliseconds. */
const longestMs = 1_000;

/** What a browser offers, as far as it is looked at. */
function offerOf({ ufrag, password, fingerprint }: RtcGuest): string {
  const certificate = writeFingerprint({ hash: 'sha-256', digest: fingerprint });
  const transport = [
    ...[`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${password}`, `a=fingerprint:${certificate}`],
    ...['a=setup:actpass', 'a=rtcp-mux', 'a=recvonly'],
  ];
  return [
    ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0 1'],
    ...['m=video 9 UDP/TLS/RTP/SAVPF 102', 'c=IN IP4 0.0.0.0', 'a=mid:0', ...transport],
    ...['a=rtpmap:102 H264/90000', 'a=rtcp-fb:102 nack', 'a=rtcp-fb:102 nack pli'],
    'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    ...['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'c=IN IP4 0.0.0.0', 'a=mid:1', ...transport],
    ...['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;useinbandfec=1', ''],
  ].join('\r\n');
}

/** `ip`: where the port of the transport is reached from this machine. Rejects when the guest does not get through. */
export async function rehearse(
  transport: Pick<RtcTransport, 'port' | 'createPeer'>,
  ip: string,
  rehearsal: RtcRehearsal,
): Promise<void> {
  const guest = new RtcGuest(ip);
  let peer: RtcPeer | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const offer = offerOf(guest);
    const opened = Promise.withResolvers<void>();
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no connection in time')), longestMs);
    });
    peer = await transport.createPeer(offer, rehearsal.plan(offer), {
      onDatagram: () => undefined,
      onStateChange: () => undefined,
      onOpen: opened.resolve,
    });
    const { ufrag, password, fingerprints } = parseOfferTransport(peer.answer);
    const host = { ip, port: transport.port, ufrag, password, digest: fingerprints[0]!.digest };
    await Promise.race([Promise.all([guest.connect(host), opened.promise]), late]);
    rehearsal.play(peer);
  } finally {
    clearTimeout(timer);
    peer?.close();
    guest.close();
  }
}
