// The program tables as transport packets. The tables are serialized when the tracks change. A repetition is a copy with new continuity
// counters.
import type { TsSink } from './ts-chunks.ts';
import { patPid, tsHeaderSize, tsPacketSize, tsSyncByte } from './ts-packet.ts';

export class TablePackets {
  readonly #pmtPid: number;
  #pat: Buffer = Buffer.alloc(tsPacketSize);
  #pmt: Buffer = Buffer.alloc(tsPacketSize);
  #continuity = 0;
  #version = -1;

  constructor(pmtPid: number) {
    this.#pmtPid = pmtPid;
  }

  /** `writePmt` receives the next version number. With one program, each section fits into one packet. */
  set(pat: Buffer, writePmt: (version: number) => Buffer): void {
    this.#version = (this.#version + 1) & 31;
    this.#pat = toPacket(patPid, pat);
    this.#pmt = toPacket(this.#pmtPid, writePmt(this.#version));
  }

  writeTo(sink: TsSink): void {
    for (const packet of [this.#pat, this.#pmt]) {
      const offset = sink.allocate();
      packet.copy(sink.buffer, offset);
      sink.buffer[offset + 3] = 0x10 | this.#continuity;
    }
    this.#continuity = (this.#continuity + 1) & 15;
  }
}

function toPacket(pid: number, section: Buffer): Buffer {
  const packet = Buffer.alloc(tsPacketSize, 0xff);
  packet[0] = tsSyncByte;
  packet.writeUInt16BE(0x4000 | pid, 1);
  packet[tsHeaderSize] = 0;
  section.copy(packet, tsHeaderSize + 1);
  return packet;
}
