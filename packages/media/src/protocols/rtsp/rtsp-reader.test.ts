import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import type { RtspRequest } from './rtsp-message.ts';
import { maxRtspBodyBytes, maxRtspHeadBytes, RtspReader } from './rtsp-reader.ts';
import { parseRtspUrl, trackOfUrl } from './rtsp-url.ts';
import { parseTransports } from './transport-header.ts';

const wire = Buffer.concat([
  Buffer.from('ANNOUNCE rtsp://h/live/s RTSP/1.0\r\ncSeQ: 3\r\nContent-Length: 5\r\n\r\nv=0\r\n'),
  Buffer.from([0x24, 1, 0, 3, 7, 8, 9]),
  Buffer.from('RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n\r\noptions * RTSP/1.0\nCSeq: 4\n\n'),
]);

function collect() {
  const items: unknown[] = [];
  const reader = new RtspReader({
    onRequest: ({ method, url, headers, body }: RtspRequest) => items.push([method, url, headers.get('cseq'), body]),
    onFrame: (channel, data) => items.push([channel, data.toString('hex')]),
  });
  return { items, reader };
}

const expected = [
  ['ANNOUNCE', 'rtsp://h/live/s', '3', 'v=0\r\n'],
  [1, '070809'],
  ['OPTIONS', '*', '4', ''],
];

describe('RtspReader', () => {
  it('reads requests with CRLF or LF and frames between them, and ignores responses', () => {
    const { items, reader } = collect();
    reader.read(wire);
    expect(items).toEqual(expected);
    expect(reader.isInside).toBe(false);
  });

  it('reads the same however the bytes are split', () => {
    for (let at = 1; at < wire.length; at++) {
      const { items, reader } = collect();
      reader.read(wire.subarray(0, at));
      reader.read(wire.subarray(at));
      expect(items).toEqual(expected);
    }
    const { items, reader } = collect();
    for (const byte of wire) reader.read(Buffer.from([byte]));
    expect(items).toEqual(expected);
  });

  it('throws only ProtocolError for mutated bytes', () => {
    for (let at = 0; at < wire.length; at++) {
      for (const value of [0, 0x0a, 0x24, 0x3a, 0xff]) {
        const mutated = Buffer.from(wire);
        mutated[at] = value;
        try {
          collect().reader.read(mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }
    }
  });

  it.each([
    ['an endless head', `OPTIONS * RTSP/1.0\r\nX: ${'a'.repeat(maxRtspHeadBytes)}`],
    ['a body beyond the limit', `ANNOUNCE * RTSP/1.0\r\nContent-Length: ${maxRtspBodyBytes + 1}\r\n\r\n`],
    ['a length that is not a number', 'ANNOUNCE * RTSP/1.0\r\nContent-Length: -1\r\n\r\n'],
    ['HTTP', 'GET / HTTP/1.1\r\n\r\n'],
    ['TLS', '\x16\x03\x01'],
  ])('refuses %s', (_name, text) => {
    expect(() => collect().reader.read(Buffer.from(text, 'latin1'))).toThrow(ProtocolError);
  });

  it('handles a bounded number of requests per turn', () => {
    const { items, reader } = collect();
    reader.read(Buffer.from('OPTIONS * RTSP/1.0\r\n\r\n'.repeat(40)));
    expect([items.length, reader.isHeldBack]).toEqual([16, true]);
    reader.readOn();
    reader.readOn();
    expect([items.length, reader.isHeldBack]).toEqual([40, false]);
  });

  it('handles a bounded number of frames per turn, more than a read buffer of media has', () => {
    const { items, reader } = collect();
    reader.read(Buffer.alloc(300 * 4, Buffer.from([0x24, 0, 0, 0])));
    expect([items.length, reader.isHeldBack]).toEqual([256, true]);
    reader.readOn();
    expect([items.length, reader.isHeldBack]).toEqual([300, false]);
  });
});

it('separates app, stream and query of an address from the control suffix', () => {
  const address = { app: 'live/a', stream: 's', param: '?secret=x' };
  expect(parseRtspUrl('rtsp://h:8554/live/a/s?secret=x')).toEqual(address);
  expect(parseRtspUrl('RTSP://h/live/a/s?secret=x/trackID=1')).toEqual(address);
  expect(parseRtspUrl('rtsps://h/live/a/s/?secret=x/streamid=0')).toEqual(address);
  expect([trackOfUrl('rtsp://h/a/s/trackID=1'), trackOfUrl('rtsp://h/a/s')]).toEqual([1, undefined]);
});

it('returns the supported transports of a Transport header, in its order', () => {
  expect(
    parseTransports('RTP/AVP;multicast,RTP/AVP/TCP;interleaved=2-3,RTP/AVP;unicast;client_port=5000-5001'),
  ).toEqual([
    { kind: 'tcp', channel: 2 },
    { kind: 'udp', rtpPort: 5000, rtcpPort: 5001, destination: undefined },
  ]);
  expect(parseTransports('RTP/AVP;client_port=0-1,RTP/AVP/TCP;interleaved=300,RTP/AVP;client_port=70000')).toEqual([
    { kind: 'tcp', channel: undefined },
  ]);
});
