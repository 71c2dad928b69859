// Splits PES packets into transport packets, directly in the output buffer. Each part of an access unit is copied only once.
import type { TsSink } from './ts-chunks.ts';
import { tsHeaderSize, tsPacketSize, tsSyncByte } from './ts-packet.ts';

export interface PesStart {
  /** Number of bytes that `append` will add. */
  readonly size: number;
  /** 90 kHz ticks, 33 bits. */
  readonly pts: number;
  readonly dts: number;
  /** Program clock reference, 90 kHz ticks; undefined when another stream carries the clock. */
  readonly pcr: number | undefined;
  readonly randomAccess: boolean;
}

const payloadRoom = tsPacketSize - tsHeaderSize;
/** Start code, stream id, length, flags, header length. */
const fixedHeaderSize = 9;
const timestampSize = 5;
/** PES_packet_length has 16 bits; 0 means "until the next unit start" and is allowed for video only. */
const maxPesLength = 0xffff;
const pcrFieldSize = 8;
const minimalAdaptationSize = 2;

export class PesWriter {
  readonly #pid: number;
  readonly #streamId: number;
  #continuity = 0;
  #sink: TsSink | undefined;
  #buffer: Buffer = Buffer.alloc(0);
  #position = 0;
  #packetEnd = 0;
  /** Remaining bytes of the PES packet, including the header. */
  #left = 0;

  constructor(pid: number, streamId: number) {
    this.#pid = pid;
    this.#streamId = streamId;
  }

  /** Starts a PES packet. Exactly `start.size` bytes must be appended before the next call. */
  begin(sink: TsSink, start: PesStart): void {
    const hasDts = start.dts !== start.pts;
    const headerSize = fixedHeaderSize + (hasDts ? 2 : 1) * timestampSize;
    this.#sink = sink;
    this.#left = headerSize + start.size;
    this.#openPacket(true, start);
    this.#writeHeader(start, hasDts);
  }

  append(source: Buffer, start: number, end: number): void {
    let from = start;
    while (from < end) {
      if (this.#position === this.#packetEnd) this.#openPacket(false);
      const size = Math.min(end - from, this.#packetEnd - this.#position);
      source.copy(this.#buffer, this.#position, from, from + size);
      this.#position += size;
      from += size;
    }
  }

  #openPacket(isFirst: boolean, start?: PesStart): void {
    const sink = this.#sink!;
    const offset = sink.allocate();
    const adaptationSize = this.#adaptationSize(start);
    const buffer = sink.buffer;
    buffer[offset] = tsSyncByte;
    buffer[offset + 1] = (isFirst ? 0x40 : 0) | (this.#pid >> 8);
    buffer[offset + 2] = this.#pid & 0xff;
    buffer[offset + 3] = (adaptationSize > 0 ? 0x30 : 0x10) | this.#continuity;
    this.#continuity = (this.#continuity + 1) & 15;
    if (adaptationSize > 0) writeAdaptation(buffer, offset + tsHeaderSize, adaptationSize, start);
    this.#buffer = buffer;
    this.#position = offset + tsHeaderSize + adaptationSize;
    this.#packetEnd = offset + tsPacketSize;
    this.#left -= this.#packetEnd - this.#position;
  }

  /** Size of the adaptation field, bytes. In the last transport packet, the field also contains the stuffing. */
  #adaptationSize(start: PesStart | undefined): number {
    const needed = start?.pcr !== undefined ? pcrFieldSize : start?.randomAccess ? minimalAdaptationSize : 0;
    return Math.max(needed, payloadRoom - this.#left);
  }

  #writeHeader(start: PesStart, hasDts: boolean): void {
    const buffer = this.#buffer;
    const at = this.#position;
    const optionalSize = (hasDts ? 2 : 1) * timestampSize;
    const length = fixedHeaderSize - 6 + optionalSize + start.size;
    buffer.writeUInt32BE(0x100 | this.#streamId, at);
    buffer.writeUInt16BE(length > maxPesLength ? 0 : length, at + 4);
    buffer[at + 6] = 0x84;
    buffer[at + 7] = hasDts ? 0xc0 : 0x80;
    buffer[at + 8] = optionalSize;
    writeTimestamp(buffer, at + fixedHeaderSize, { mark: hasDts ? 3 : 2, ticks: start.pts });
    if (hasDts) writeTimestamp(buffer, at + fixedHeaderSize + timestampSize, { mark: 1, ticks: start.dts });
    this.#position = at + fixedHeaderSize + optionalSize;
  }
}

/** Adaptation field of `size` bytes including its length byte, ISO/IEC 13818-1 §2.4.3.4. */
function writeAdaptation(buffer: Buffer, at: number, size: number, start: PesStart | undefined): void {
  buffer[at] = size - 1;
  if (size === 1) return;
  const pcr = start?.pcr;
  buffer[at + 1] = (start?.randomAccess ? 0x40 : 0) | (pcr === undefined ? 0 : 0x10);
  const stuffingAt = at + (pcr === undefined ? minimalAdaptationSize : pcrFieldSize);
  if (pcr !== undefined) writePcr(buffer, at + 2, pcr);
  buffer.fill(0xff, stuffingAt, at + size);
}

/** 33 bits base, 6 reserved, 9 extension (0). */
function writePcr(buffer: Buffer, at: number, ticks: number): void {
  buffer.writeUInt32BE(Math.floor(ticks / 2), at);
  buffer[at + 4] = ((ticks % 2) * 0x80) | 0x7e;
  buffer[at + 5] = 0;
}

/** 4 bits prefix, then 3 + 15 + 15 bits, each followed by a marker bit. */
function writeTimestamp(buffer: Buffer, at: number, { mark, ticks }: { mark: number; ticks: number }): void {
  const high = Math.floor(ticks / 2 ** 30);
  const middle = Math.floor(ticks / 2 ** 15) & 0x7fff;
  const low = ticks & 0x7fff;
  buffer[at] = (mark << 4) | (high << 1) | 1;
  buffer.writeUInt16BE((middle << 1) | 1, at + 1);
  buffer.writeUInt16BE((low << 1) | 1, at + 3);
}
