// Runs one session with a client in this process over the real port. Without this warm-up, the first viewers would wait while OpenSSL loads
// names and the JavaScript engine compiles functions.
import { parseOfferTransport, writeFingerprint } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { RtcGuest } from '@srs-stack/rtc';
import type { RtcPeer, RtcTransport, RtcWarmUp } from './webrtc-transport.ts';

/** Time limit for connecting, milliseconds. The kernel may drop a packet of the handshake when its queue is full. */
const longestMs = 1_000;

/** Offer of a browser, reduced to the lines that the server parses. */
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

/** `ip`: local address of the transport's port. Rejects when the client does not connect. */
export async function warmUp(
  transport: Pick<RtcTransport, 'port' | 'createPeer'>,
  ip: string,
  media: RtcWarmUp,
): Promise<void> {
  const guest = new RtcGuest(ip);
  let peer: RtcPeer | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    const offer = offerOf(guest);
    const opened = Promise.withResolvers<void>();
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the WebRTC warm-up did not connect in time')), longestMs);
    });
    peer = await transport.createPeer(offer, media.plan(offer), {
      onDatagram: () => undefined,
      onStateChange: () => undefined,
      onOpen: opened.resolve,
    });
    const { ufrag, password, fingerprints } = parseOfferTransport(peer.answer);
    const host = { ip, port: transport.port, ufrag, password, digest: fingerprints[0]!.digest };
    await Promise.race([Promise.all([guest.connect(host), opened.promise]), late]);
    media.play(peer);
  } finally {
    clearTimeout(timer);
    peer?.close();
    guest.close();
  }
}
