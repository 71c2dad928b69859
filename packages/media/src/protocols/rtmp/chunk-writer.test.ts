import { describe, expect, it } from 'vitest';
import { ChunkReader } from './chunk-reader.ts';
import { outgoingChunkSize, writeChunks } from './chunk-writer.ts';
import { writeSetChunkSize } from './control-messages.ts';
import { mediaChunksBytes, writeMediaChunks } from './media-chunks.ts';
import type { RtmpMessage } from './message.ts';

const hexOf = (parts: Buffer[]): string => Buffer.concat(parts).toString('hex');

describe('chunk writer', () => {
  it.each<[string, RtmpMessage, string]>([
    ['short', message(100, 'aabb'), '04 000064 000002 09 01000000 aabb'],
    ['empty', message(0, ''), '04 000000 000000 09 01000000'],
    ['last plain time', message(0xfffffe, 'aa'), '04 fffffe 000001 09 01000000 aa'],
    ['first extended time', message(0xffffff, 'aa'), '04 ffffff 000001 09 01000000 00ffffff aa'],
    ['latest time', message(0xffffffff, 'aa'), '04 ffffff 000001 09 01000000 ffffffff aa'],
    ['two chunks', message(1, 'aabbccddee'), '04 000001 000005 09 01000000 aabbccdd c4 ee'],
    [
      'two chunks, extended',
      message(0x1000000, 'aabbccddee'),
      '04 ffffff 000005 09 01000000 01000000 aabbccdd c4 01000000 ee',
    ],
  ])('%s message', (_name, sent, hex) => {
    expect(hexOf(writeChunks(4, sent, 4))).toBe(hex.replaceAll(' ', ''));
  });

  it('shares the payload instead of copying it', () => {
    const payload = Buffer.alloc(1000);
    const parts = writeChunks(4, { typeId: 9, streamId: 1, timestamp: 0, payload });
    expect(parts[1]!.buffer).toBe(payload.buffer);
  });
});

describe('media chunks', () => {
  const body = Buffer.from(Array.from({ length: 2.5 * outgoingChunkSize }, (_, i) => i & 0xff));

  it.each([
    ['one chunk', 5, 1000, 0],
    ['exactly one chunk', 5, outgoingChunkSize, 0],
    ['one byte more', 5, outgoingChunkSize + 1, 0],
    ['several chunks', 5, body.length, 40],
    ['several chunks, extended time', 5, body.length, 0x1000000],
    ['no head', 0, 10, 0xffffffff],
    ['no payload', 7, 7, 1],
    ['a head longer than a chunk', outgoingChunkSize + 10, outgoingChunkSize + 20, 1],
  ])('%s: can be read by the chunk reader', (_name, headBytes, bodyBytes, timestampMs) => {
    const whole = body.subarray(0, bodyBytes);
    const message = { type: 9, timestampMs, head: whole.subarray(0, headBytes), payload: whole.subarray(headBytes) };
    const target = Buffer.alloc(mediaChunksBytes(message) + 2, 0xee);
    expect(writeMediaChunks(target, 1, message)).toBe(target.length - 1);
    const reader = new ChunkReader(1024 * 1024);
    reader.push(Buffer.concat([...writeChunks(2, writeSetChunkSize(outgoingChunkSize)), target.subarray(1, -1)]));
    const read = reader.next()!;
    expect(read).toMatchObject({ typeId: 9, streamId: 1, timestamp: timestampMs });
    expect(read.payload.equals(whole)).toBe(true);
    expect(reader.next()).toBeUndefined();
    expect(reader.bufferedBytes).toBe(0);
  });
});

function message(timestamp: number, hex: string): RtmpMessage {
  return { typeId: 9, streamId: 1, timestamp, payload: Buffer.from(hex, 'hex') };
}
