// What each listener of the product is attacked with: by its name in `run/ports.json`. A listener without a row fails the test, so a new
// one is attacked from the day it is there.
import {
  connectObject,
  writeCall,
  writeHello,
  writeMessage,
  writePlayCalls,
} from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';

export interface AttackRow {
  readonly transport: 'tcp' | 'tls' | 'udp';
  /** The first message of a peer, whole. Parts of it are sent too. `address`: whom a proxy in front would name. */
  readonly first: (address: string) => Buffer;
  /** What follows over and over when requests are pipelined. */
  readonly more: (address: string) => Buffer;
  /** Source addresses are told by a header, so that addresses of one /64 need no network interface. */
  readonly namesAddress?: true;
}

const get = (path: string, address: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`);

function web(transport: 'tcp' | 'tls'): AttackRow {
  const paths = ['/healthz', '/watch/lobby', '/live/lobby.m3u8', '/live/lobby.m3u8?_HLS_msn=99999999', '/nothing'];
  return {
    transport,
    first: (address) => get('/live/lobby.m3u8', address),
    more: (address) => Buffer.concat(paths.map((path) => get(path, address))),
    namesAddress: true,
  };
}

/** A ping request as a chunk of its own (RTMP 1.0 §6.2). */
const rtmpPing = Buffer.from('0200000000000604000000000006000000010000', 'hex').subarray(0, 18);

const rtmp: AttackRow = {
  transport: 'tcp',
  first: () => Buffer.concat([writeHello(), writeCall('connect', 1, connectObject)]),
  more: () => Buffer.concat([writeCall('createStream', 2, null), rtmpPing]),
};

const rtmpPlayer: AttackRow = {
  transport: 'tcp',
  first: () => Buffer.concat([writeHello(), writePlayCalls('lobby'), writeMessage(emptyAudio, 4)]),
  more: () => Buffer.concat([Buffer.alloc(512, 0xc4), rtmpPing]),
};
const emptyAudio = { typeId: 8, streamId: 1, timestamp: 0, payload: Buffer.alloc(0) };

/** A handshake induction request (SRT §3.2.1). */
const srtInduction = Buffer.from(
  `80000000${'00000000'.repeat(3)}0000000400000002000000005000000005dc00002000000000010000000700000000${'00000000'.repeat(4)}`,
  'hex',
);
/** A STUN binding request without a credential (RFC 8489 §5). */
const stunRequest = Buffer.from(`000100002112a442${'07'.repeat(12)}`, 'hex');
const framed = (datagram: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(datagram.length);
  return Buffer.concat([length, datagram]);
};

const rowsByListener: Readonly<Record<string, readonly AttackRow[]>> = {
  http: [web('tcp')],
  https: [web('tls')],
  rtmp: [rtmp, rtmpPlayer],
  srt: [{ transport: 'udp', first: () => srtInduction, more: () => srtInduction }],
  rtc: [
    { transport: 'udp', first: () => stunRequest, more: () => stunRequest },
    {
      transport: 'tcp',
      first: () => framed(stunRequest),
      more: () => Buffer.concat([Buffer.alloc(64), framed(stunRequest)]),
    },
  ],
  srsApi: [web('tcp')],
};

/** Throws for a listener that nobody has said how to attack. */
export function rowsOf(listener: string): readonly AttackRow[] {
  const rows = rowsByListener[listener];
  if (!rows) throw new Error(`the listener ${listener} of run/ports.json has no row in e2e/support/patience/rows.ts`);
  return rows;
}
