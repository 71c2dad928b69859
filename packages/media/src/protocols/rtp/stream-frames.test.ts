import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { StreamFrameReader, writeStreamFrame } from './stream-frames.ts';

const datagrams = [Buffer.alloc(1_200, 7), Buffer.from('x'), Buffer.alloc(1_500, 1)];
const bytes = Buffer.concat(datagrams.map(writeStreamFrame));

function read(pieces: readonly Buffer[], maxDatagramBytes = 1_500): Buffer[] {
  const found: Buffer[] = [];
  const reader = new StreamFrameReader({
    maxDatagramBytes,
    onDatagram: (datagram) => void found.push(Buffer.from(datagram)),
  });
  for (const piece of pieces) reader.read(piece);
  return found;
}

it('a frame is the length in two bytes, then the datagram (RFC 4571 §2)', () => {
  expect(writeStreamFrame(Buffer.from([0xaa, 0xbb, 0xcc]))).toEqual(Buffer.from([0, 3, 0xaa, 0xbb, 0xcc]));
});

it('datagrams are unchanged, however the bytes are split', () => {
  for (let at = 0; at <= bytes.length; at++)
    expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(datagrams);
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(datagrams);
});

it('an empty frame contains no datagram', () => {
  expect(read([Buffer.from([0, 0, 0, 1, 9])])).toEqual([Buffer.from([9])]);
});

it('a full read of tiny frames is processed in bounded steps, including empty ones', () => {
  let found = 0;
  const reader = new StreamFrameReader({ maxDatagramBytes: 1_500, onDatagram: () => void found++ });
  const counts: number[] = [];
  reader.read(Buffer.concat([Buffer.alloc(60_000), ...Array.from({ length: 1_000 }, () => Buffer.of(0, 1, 9))]));
  for (; reader.isHeldBack; reader.readOn()) counts.push(found);
  expect([found, counts.length]).toEqual([1_000, Math.floor(31_000 / 256)]);
});

it('a frame longer than any datagram is refused before it has arrived', () => {
  expect(() => read([Buffer.from('GET / HTTP/1.1\r\n')])).toThrow(ProtocolError);
  expect(() => read([writeStreamFrame(Buffer.alloc(1_501))])).toThrow(ProtocolError);
});

it('arbitrary bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
      try {
        read(
          pieces.map((piece) => Buffer.from(piece)),
          64,
        );
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
      }
    }),
  );
});
