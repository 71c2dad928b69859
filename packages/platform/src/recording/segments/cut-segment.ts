// Extracts one track of a segment: the tables, then all packets from the first frame on. FFmpeg uses only tracks that it finds at the
// beginning, and starts at the earliest time of all tracks.
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pieceBytes } from './segment-head.ts';
import { packetBytes, payloadOf, pidOf, readProgramMapPid, startsUnit, syncByte } from './ts-packet.ts';

/** Maximum number of packets per program map: a section has at most 1,024 bytes (ISO/IEC 13818-1 §2.4.4.9). */
const maxMapPackets = 8;

/** Start of a track; `offset` is the position of the packet with the first frame. */
export interface TrackBegin {
  readonly pid: number;
  readonly offset: number;
}

export async function cutSegment(
  source: string,
  target: string,
  begin: TrackBegin,
  signal: AbortSignal,
): Promise<void> {
  const bytes = createReadStream(source, { highWaterMark: pieceBytes, signal });
  await pipeline(Readable.from(cutTrack(bytes, begin)), createWriteStream(target), { signal });
}

/** Yields the tables, then the packets of one track from its first frame on. */
async function* cutTrack(pieces: AsyncIterable<Buffer>, { pid, offset }: TrackBegin): AsyncGenerator<Buffer> {
  const tables = new NewestTables();
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  let hasBegun = false;
  for await (const piece of pieces) {
    const data = Buffer.concat([rest, piece]);
    const kept: Buffer[] = [];
    let at = 0;
    for (; at + packetBytes <= data.length && data[at] === syncByte; at += packetBytes) {
      const packet = data.subarray(at, at + packetBytes);
      if (read + at < offset) tables.note(packet);
      else {
        if (!hasBegun) kept.push(...tables.packets());
        hasBegun = true;
        if (pidOf(packet) === pid) kept.push(packet);
      }
    }
    read += at;
    rest = data.subarray(at, at + packetBytes);
    if (kept.length > 0) yield Buffer.concat(kept);
  }
}

class NewestTables {
  #association: Buffer | undefined;
  #mapPid = -1;
  #map: Buffer[] = [];

  note(packet: Buffer): void {
    const pid = pidOf(packet);
    if (pid === 0 && startsUnit(packet)) {
      this.#association = Buffer.from(packet);
      this.#mapPid = readProgramMapPid(payloadOf(packet));
    } else if (pid === this.#mapPid) {
      if (startsUnit(packet)) this.#map = [];
      if (this.#map.length < maxMapPackets) this.#map.push(Buffer.from(packet));
    }
  }

  packets(): Buffer[] {
    return [...(this.#association ? [this.#association] : []), ...this.#map];
  }
}
