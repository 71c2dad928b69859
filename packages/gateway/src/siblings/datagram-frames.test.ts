import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DatagramFrameReader, writeDatagramFrame } from './datagram-frames.ts';

const sent = [
  { datagram: Buffer.alloc(1_456, 7), remote: { address: '192.0.2.7', port: 40_000 } },
  { datagram: Buffer.alloc(0), remote: { address: '2001:db8:1234:5678:9abc:def0:1234:5678', port: 1 } },
  { datagram: Buffer.from('x'), remote: { address: '::1', port: 65_535 } },
];
const bytes = Buffer.concat(sent.map(({ datagram, remote }) => writeDatagramFrame(datagram, remote)));

function read(pieces: readonly Buffer[]): unknown[] {
  const found: unknown[] = [];
  const reader = new DatagramFrameReader((datagram, remote) => found.push({ datagram: Buffer.from(datagram), remote }));
  for (const piece of pieces) reader.read(piece);
  return found;
}

it('carries datagrams unchanged, however the bytes are split', () => {
  for (let at = 0; at <= bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(sent);
});

it('refuses invalid frames and buffers at most one frame', () => {
  expect(() => read([Buffer.alloc(64, 0xff)])).toThrow(RangeError);
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      try {
        read(pieces.map((piece) => Buffer.from(piece)));
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});
