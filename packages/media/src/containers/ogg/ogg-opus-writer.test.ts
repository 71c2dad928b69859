import { describe, expect, it } from 'vitest';
import { writeOpusConfig } from '../../codecs/opus.ts';
import { OggOpusWriter } from './ogg-opus-writer.ts';

/** First page of `ffmpeg -f lavfi -i sine=r=48000 -t 0.1 -ac 2 -c:a libopus -serial_offset 1 -f ogg`. */
const ffmpegHead =
  '4f6767530002000000000000000001000000000000000262855c0113' + '4f707573486561640102380180bb0000000000';

/** The CRC of RFC 3533, bit by bit, independent of the writer's table. */
function crcOf(page: Buffer): number {
  let crc = 0;
  for (const byte of page) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1;
  }
  return crc >>> 0;
}

interface Page {
  readonly flags: number;
  readonly granule: number;
  readonly number: number;
  readonly data: Buffer;
}

/** Parses the pages of a stream and verifies their checksums, RFC 3533 §6. */
function readPages(bytes: Buffer): Page[] {
  const pages: Page[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    expect(bytes.toString('latin1', offset, offset + 4)).toBe('OggS');
    const segments = [...bytes.subarray(offset + 27, offset + 27 + bytes[offset + 26]!)];
    const dataStart = offset + 27 + segments.length;
    const end = dataStart + segments.reduce((sum, size) => sum + size, 0);
    const page = Buffer.from(bytes.subarray(offset, end));
    const crc = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    expect(crc).toBe(crcOf(page));
    expect(segments.slice(0, -1).every((size) => size === 255) && segments.at(-1)! < 255).toBe(true);
    pages.push({
      flags: page[5]!,
      granule: Number(page.readBigInt64LE(6)),
      number: page.readUInt32LE(18),
      data: bytes.subarray(dataStart, end),
    });
    offset = end;
  }
  return pages;
}

const packet = (size: number, toc = 0xfc) => Buffer.alloc(size, 7).fill(toc, 0, 1);

describe('an Ogg stream of Opus', () => {
  it("starts with the same bytes as FFmpeg's, followed by tags", () => {
    const headers = new OggOpusWriter().writeHeaders(writeOpusConfig(2));
    expect(headers.subarray(0, ffmpegHead.length / 2).toString('hex')).toBe(ffmpegHead);
    const [head, tags] = readPages(headers);
    expect(head).toMatchObject({ flags: 2, granule: 0, number: 0 });
    expect(tags).toMatchObject({ flags: 0, granule: 0, number: 1 });
    expect(tags!.data.toString('latin1')).toBe(`OpusTags${'\0'.repeat(8)}`);
  });

  it.each([1, 254, 255, 256, 510, 1275])('has one page per packet, here of %i bytes', (size) => {
    const writer = new OggOpusWriter();
    const bytes = Buffer.concat([writer.writeHeaders(writeOpusConfig(1)), writer.writePacket(packet(size))!]);
    expect(readPages(bytes)[2]).toEqual({ flags: 0, granule: 960, number: 2, data: packet(size) });
  });

  it('counts samples at 48 kHz by the duration of its packets', () => {
    const writer = new OggOpusWriter();
    // Durations of the packets: 20 ms, 2 × 20 ms, 2.5 ms, 60 ms.
    const pages = [packet(3), packet(3, 0xfd), packet(3, 0xe0), packet(3, 0x18)].map(
      (each) => writer.writePacket(each)!,
    );
    expect(readPages(Buffer.concat(pages)).map(({ granule }) => granule)).toEqual([960, 2_880, 3_000, 5_880]);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['longer than 120 ms', Buffer.from([0xff, 0x3f])],
    ['larger than a page', packet(255 * 255)],
  ])('drops a packet that is %s', (_, bytes) => {
    const writer = new OggOpusWriter();
    expect(writer.writePacket(bytes)).toBeUndefined();
    expect(readPages(writer.writePacket(packet(2))!)).toMatchObject([{ granule: 960, number: 0 }]);
  });
});
