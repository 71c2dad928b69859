// Writes Opus packets as an Ogg stream, RFC 3533 and RFC 7845. Each packet is one page, so that a reader need not wait.
//
//   "OggS" | 8 version=0 | 8 flags | 64 granule position | 32 serial | 32 page number | 32 CRC | 8 n | n segment sizes | data
import { opusPacketDurationUs, opusSampleRate } from '../../codecs/opus.ts';

const headerBytes = 27;
const beginsStream = 2;
/** Maximum packet size, bytes. A page has at most 255 segments of at most 255 bytes, and the last segment must be shorter. */
const maxPacketBytes = 255 * 255 - 1;
/** Serial number of the stream; constant, because a file contains one stream. */
const serial = 1;

export class OggOpusWriter {
  #page = 0;
  #granule = 0n;

  writeHeaders(config: Buffer): Buffer {
    const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
    return Buffer.concat([this.#writePage(config, beginsStream), this.#writePage(tags, 0)]);
  }

  /** Returns undefined for a packet that is empty, invalid or too long for one page. */
  writePacket(packet: Buffer): Buffer | undefined {
    const durationUs = opusPacketDurationUs(packet);
    if (durationUs === 0 || packet.length > maxPacketBytes) return undefined;
    this.#granule += BigInt((durationUs * opusSampleRate) / 1_000_000);
    return this.#writePage(packet, 0);
  }

  #writePage(packet: Buffer, flags: number): Buffer {
    const wholeSegments = Math.floor(packet.length / 255);
    const dataStart = headerBytes + wholeSegments + 1;
    const page = Buffer.alloc(dataStart + packet.length);
    page.write('OggS', 'latin1');
    page[5] = flags;
    page.writeBigInt64LE(this.#granule, 6);
    page.writeUInt32LE(serial, 14);
    page.writeUInt32LE(this.#page++, 18);
    page[26] = wholeSegments + 1;
    page.fill(255, headerBytes, headerBytes + wholeSegments);
    page[dataStart - 1] = packet.length % 255;
    packet.copy(page, dataStart);
    page.writeUInt32LE(oggCrc(page), 22);
    return page;
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

/** CRC-32 of polynomial 04C11DB7, not reflected, starting at 0 (RFC 3533 §6). */
function oggCrc(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc << 8) ^ crcTable[(crc >>> 24) ^ byte]!;
  return crc >>> 0;
}
