// Attack data per listener: a first message, sent completely or in parts, and data that is repeated.
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import {
  connectObject,
  writeCall,
  writeHello,
  writeMessage,
  writePlayCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';

export interface AttackRow {
  readonly transport: 'tcp' | 'tls' | 'udp';
  /** The complete first message of a peer. Some attacks send only a part of it. */
  readonly first: Buffer;
  /** Sent repeatedly after `first` by attacks that pipeline. */
  readonly more: Buffer;
}

type Transport = 'tcp' | 'tls';

const get = (path: string): Buffer => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
const webPaths = ['/healthz', '/watch/lobby', '/live/lobby.m3u8', '/live/lobby.m3u8?_HLS_msn=99999999', '/nothing'];

export const web = (transport: Transport): AttackRow => ({
  transport,
  first: get('/live/lobby.m3u8'),
  more: Buffer.concat(webPaths.map(get)),
});

/** A ping request as a separate chunk (RTMP 1.0 §6.2). */
const rtmpPing = Buffer.from('0200000000000604000000000006000000010000', 'hex').subarray(0, 18);
const emptyAudio = { typeId: 8, streamId: 1, timestamp: 0, payload: Buffer.alloc(0) };

export const rtmp = (transport: Transport): AttackRow => ({
  transport,
  first: Buffer.concat([writeHello(), writeCall('connect', 1, connectObject)]),
  more: Buffer.concat([writeCall('createStream', 2, null), rtmpPing]),
});

export const rtmpPlayer = (transport: Transport): AttackRow => ({
  transport,
  first: Buffer.concat([writeHello(), writePlayCalls('lobby'), writeMessage(emptyAudio, 4)]),
  more: Buffer.concat([Buffer.alloc(512, 0xc4), rtmpPing]),
});

const rtspRequest = (method: string, ...headers: string[]): Buffer =>
  Buffer.from([`${method} rtsp://localhost/live/lobby RTSP/1.0`, 'CSeq: 1', ...headers, '', ''].join('\r\n'));

export const rtsp = (transport: Transport): AttackRow => ({
  transport,
  first: rtspRequest('DESCRIBE', 'Accept: application/sdp'),
  more: Buffer.concat([rtspRequest('OPTIONS'), rtspRequest('DESCRIBE'), Buffer.from([0x24, 9, 0, 2, 1, 1])]),
});

export const rtspPlayer = (transport: Transport): AttackRow => ({
  transport,
  first: Buffer.concat([
    rtspRequest('DESCRIBE'),
    rtspRequest('SETUP', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1'),
    rtspRequest('PLAY'),
  ]),
  more: Buffer.concat([rtspRequest('PAUSE'), rtspRequest('PLAY'), rtspRequest('GET_PARAMETER')]),
});

const datagram = (bytes: Buffer): AttackRow => ({ transport: 'udp', first: bytes, more: bytes });

/** An RTP packet that belongs to no session (RFC 3550 §5.1). */
export const rtp: AttackRow = datagram(Buffer.from(`8061000100000001${'00000007'.repeat(8)}`, 'hex'));
/** A handshake induction request (SRT §3.2.1). */
export const srt: AttackRow = datagram(
  Buffer.from(
    `80000000${'00000000'.repeat(3)}0000000400000002000000005000000005dc00002000000000010000000700000000${'00000000'.repeat(4)}`,
    'hex',
  ),
);
/** A STUN binding request without a credential (RFC 8489 §5). */
const stunRequest = Buffer.from(`000100002112a442${'07'.repeat(12)}`, 'hex');
export const stun: AttackRow = datagram(stunRequest);

const framed = (payload: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(payload.length);
  return Buffer.concat([length, payload]);
};
export const rtcTcp: AttackRow = {
  transport: 'tcp',
  first: framed(stunRequest),
  more: Buffer.concat([Buffer.alloc(64), framed(stunRequest)]),
};

const clientHello = await new Promise<Buffer>((resolve) => {
  const wire = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      resolve(bytes);
      done();
    },
  });
  connectTls({ socket: wire, servername: 'localhost' }).on('error', () => undefined);
});
/** The beginning of a TLS handshake, which the peer never completes. */
export const handshake: AttackRow = { transport: 'tcp', first: clientHello, more: clientHello };
