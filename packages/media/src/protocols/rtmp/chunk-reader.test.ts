import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { ChunkReader } from './chunk-reader.ts';
import { writeChunks } from './chunk-writer.ts';
import type { RtmpMessage } from './message.ts';

const maxMessageBytes = 1024 * 1024;
const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');

function readAll(reader: ChunkReader): RtmpMessage[] {
  const messages: RtmpMessage[] = [];
  for (let message = reader.next(); message; message = reader.next()) messages.push(message);
  return messages;
}

function read(...parts: (string | Buffer)[]): RtmpMessage[] {
  const reader = new ChunkReader(maxMessageBytes);
  return parts.flatMap((part) => {
    reader.push(typeof part === 'string' ? bytes(part) : part);
    return readAll(reader);
  });
}

const video = (timestamp: number, payload: Buffer): RtmpMessage => ({ typeId: 9, streamId: 1, timestamp, payload });
const filled = (length: number, value = 0xaa): Buffer => Buffer.alloc(length, value);
const times = (messages: RtmpMessage[]): number[] => messages.map(({ timestamp }) => timestamp);

describe('chunk reader', () => {
  it('reads every header format', () => {
    const messages = read(
      '03 000064 000002 08 01000000 aaaa', // format 0: time 100
      '43 000014 000001 09 bb', // format 1: 20 later, other length and type
      '83 00000a cc', //                       format 2: 10 later
      'c3 dd', // format 3: the same difference again
    );
    expect(messages).toEqual([
      { typeId: 8, streamId: 1, timestamp: 100, payload: bytes('aaaa') },
      { typeId: 9, streamId: 1, timestamp: 120, payload: bytes('bb') },
      { typeId: 9, streamId: 1, timestamp: 130, payload: bytes('cc') },
      { typeId: 9, streamId: 1, timestamp: 140, payload: bytes('dd') },
    ]);
  });

  it.each([
    ['one byte', '05'],
    ['two bytes, id 64', '00 00'],
    ['two bytes, id 319', '00 ff'],
    ['three bytes, id 64', '01 0000'],
    ['three bytes, id 65599', '01 ffff'],
  ])('reads a basic header of %s', (_name, header) => {
    expect(read(`${header} 000001 000001 08 00000000 ee`)).toEqual([
      { typeId: 8, streamId: 0, timestamp: 1, payload: bytes('ee') },
    ]);
  });

  it('joins a message of several chunks and interleaved chunk streams', () => {
    const long = filled(200);
    const messages = read(
      Buffer.concat([bytes('04 000000 0000c8 09 01000000'), long.subarray(0, 128)]),
      '06 000005 000003 08 01000000 010203',
      Buffer.concat([bytes('c4'), long.subarray(128)]),
    );
    expect(messages.map(({ typeId }) => typeId)).toEqual([8, 9]);
    expect(messages[1]!.payload.equals(long)).toBe(true);
  });

  it('follows chunk size changes, also between the chunks of a message', () => {
    const messages = read(
      Buffer.concat([bytes('04 000000 000190 09 01000000'), filled(128)]),
      '02 000000 000004 01 00000000 00000100', // from now on 256
      Buffer.concat([bytes('c4'), filled(256), bytes('c4'), filled(16)]),
    );
    expect(messages).toEqual([video(0, filled(400))]);
  });

  it('drops an aborted message and reads the next one on that chunk stream', () => {
    const messages = read(
      Buffer.concat([bytes('04 000000 000190 09 01000000'), filled(128)]),
      '02 000000 000004 02 00000000 00000004',
      '04 000007 000001 09 01000000 ff',
    );
    expect(messages).toEqual([video(7, bytes('ff'))]);
  });

  it('returns an empty message', () => {
    expect(read('04 000000 000000 09 01000000')).toEqual([video(0, Buffer.alloc(0))]);
  });

  it('returns the same messages however the bytes are split', () => {
    const sent = [video(0, filled(300, 1)), video(0x1000000, filled(1000, 2)), video(0xffffff, filled(1, 3))];
    const stream = Buffer.concat(sent.flatMap((message) => writeChunks(4, message, 128)));
    for (let size = 1; size < 140; size++) {
      const parts: Buffer[] = [];
      for (let offset = 0; offset < stream.length; offset += size) parts.push(stream.subarray(offset, offset + size));
      expect(read(...parts)).toEqual(sent);
    }
  });

  it('does not copy a message that arrives in one piece', () => {
    const received = bytes('04 000000 000002 09 01000000 aabb');
    const [message] = read(received);
    expect(message!.payload.buffer).toBe(received.buffer);
  });
});

describe('times of chunks', () => {
  it('reads extended absolute times and differences', () => {
    expect(
      times(
        read(
          '04 ffffff 000001 09 01000000 01000000 aa', // 2^24
          '44 000028 000001 09 bb', //                   + 40
          '84 ffffff 01000000 cc', //                    + 2^24
        ),
      ),
    ).toEqual([0x1000000, 0x1000028, 0x2000028]);
  });

  it('wraps at 2^32', () => {
    expect(times(read('04 ffffff 000001 09 01000000 fffffff0 aa', '84 000020 bb'))).toEqual([0xfffffff0, 0x10]);
  });

  it("adds the previous message's difference for a format 3 that starts a message", () => {
    expect(times(read('04 000000 000001 09 01000000 aa', '84 000028 bb', 'c4 cc', 'c4 dd'))).toEqual([0, 40, 80, 120]);
  });

  it('does not add an extended absolute time to itself', () => {
    expect(times(read('04 ffffff 000001 09 01000000 01000000 aa', 'c4 01000000 bb'))).toEqual([0x1000000, 0x1000000]);
  });

  const head = bytes('04 ffffff 000110 09 01000000 01020304');
  const body = Buffer.from(Array.from({ length: 0x110 }, (_, i) => i & 0xff));
  const [first, second, third] = [body.subarray(0, 128), body.subarray(128, 256), body.subarray(256)];

  it('reads format 3 chunks that repeat the extended time', () => {
    const next = bytes('c4 01020304');
    expect(read(Buffer.concat([head, first, next, second, next, third]))).toEqual([video(0x1020304, body)]);
  });

  it('reads format 3 chunks that do not repeat it', () => {
    const next = bytes('c4');
    expect(read(Buffer.concat([head, first, next, second, next, third]))).toEqual([video(0x1020304, body)]);
  });

  it('does not wait for four bytes when the first one decides', () => {
    const short = body.subarray(0, 130);
    const header = bytes('04 ffffff 000082 09 01000000 01020304');
    const stream = Buffer.concat([header, short.subarray(0, 128), bytes('c4'), short.subarray(128)]);
    expect(read(stream)).toEqual([video(0x1020304, short)]);
  });
});

describe('chunks of a malicious peer', () => {
  it.each([
    ['a format 3 chunk without a message', 'c4 aa'],
    ['a format 2 chunk without a length', '84 000000 aa'],
    ['a message over the limit', '04 000000 ffffff 09 01000000'],
    ['chunk size 0', '02 000000 000004 01 00000000 00000000'],
    ['a truncated chunk size', '02 000000 000002 01 00000000 0000'],
    [
      'a new message inside another',
      `04 000000 000190 09 01000000 ${'aa'.repeat(128)} 04 000000 000001 09 01000000 aa`,
    ],
  ])('%s is refused', (_name, hex) => {
    expect(() => read(hex)).toThrow(ProtocolError);
  });

  it('opens at most 64 chunk streams', () => {
    const message = (id: number): Buffer => Buffer.concat([Buffer.of(0, id), bytes('000001 000001 08 00000000 ee')]);
    const ids = Array.from({ length: 65 }, (_, i) => message(i));
    expect(read(...ids.slice(0, 64))).toHaveLength(64);
    expect(() => read(...ids)).toThrow('too many chunk streams');
  });

  it('allocates little for headers that announce long messages', () => {
    const reader = new ChunkReader(maxMessageBytes);
    for (let id = 2; id < 32; id++) {
      reader.push(Buffer.concat([Buffer.of(id), bytes('000000 100000 09 01000000'), filled(128)]));
      expect(reader.next()).toBeUndefined();
    }
    expect(reader.bufferedBytes).toBeLessThanOrEqual(30 * 64 * 1024);
  });

  it('refuses more unfinished messages than two of the maximum length', () => {
    const reader = new ChunkReader(100_000);
    const begin = (id: number): Buffer =>
      Buffer.concat([Buffer.of(id), bytes('000000 0186a0 09 01000000'), filled(128)]);
    reader.push(Buffer.concat([begin(4), begin(5), begin(6), begin(7)]));
    expect(() => reader.next()).toThrow('too many unfinished messages');
  });

  it('random and changed bytes give messages or a ProtocolError, with bounded memory', () => {
    const real = Buffer.concat([
      ...writeChunks(2, { typeId: 1, streamId: 0, timestamp: 0, payload: bytes('00000080') }, 128),
      ...writeChunks(4, video(0x1000000, filled(400)), 128),
      ...writeChunks(6, { typeId: 8, streamId: 1, timestamp: 5, payload: filled(50) }, 128),
    ]);
    const changes = fc.array(fc.tuple(fc.nat({ max: real.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 });
    fc.assert(
      fc.property(changes, fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (edits, tail, size) => {
        const data = Buffer.concat([real, tail]);
        for (const [at, byte] of edits) data[at] = byte;
        const reader = new ChunkReader(100_000);
        try {
          for (let offset = 0; offset < data.length; offset += size) {
            reader.push(data.subarray(offset, offset + size));
            readAll(reader);
            expect(reader.bufferedBytes).toBeLessThan(300_000);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError);
        }
      }),
      { seed: 1, numRuns: 2000 },
    );
  });
});
