// Program association table and program map table, ISO/IEC 13818-1 §2.4.4: written and parsed as sections.
//
//   8 table id | 1 syntax=1 | 3 | 12 length of the rest | 16 id | 2 | 5 version | 1 current | 8 section | 8 last | … | 32 CRC
import { mpegCrc32 } from './crc32.ts';

export interface ElementaryStream {
  readonly pid: number;
  readonly streamType: number;
  readonly descriptors: Buffer;
}

export interface ProgramMap {
  readonly pcrPid: number;
  readonly streams: readonly ElementaryStream[];
}

const patTableId = 0;
const pmtTableId = 2;
const headerSize = 8;
const crcSize = 4;
const programNumber = 1;

export function writePat(pmtPid: number): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt16BE(programNumber, 0);
  body.writeUInt16BE(0xe000 | pmtPid, 2);
  return writeSection({ tableId: patTableId, id: 1, version: 0, body });
}

/** `version` is 0 to 31 and must change when the streams change. */
export function writePmt({ pcrPid, streams }: ProgramMap, version: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xe000 | pcrPid, 0);
  head.writeUInt16BE(0xf000, 2);
  const body = Buffer.concat([head, ...streams.map(writeElementaryStream)]);
  return writeSection({ tableId: pmtTableId, id: programNumber, version, body });
}

function writeElementaryStream({ pid, streamType, descriptors }: ElementaryStream): Buffer {
  const head = Buffer.alloc(5);
  head[0] = streamType;
  head.writeUInt16BE(0xe000 | pid, 1);
  head.writeUInt16BE(0xf000 | descriptors.length, 3);
  return Buffer.concat([head, descriptors]);
}

function writeSection(section: { tableId: number; id: number; version: number; body: Buffer }): Buffer {
  const bytes = Buffer.alloc(headerSize + section.body.length + crcSize);
  bytes[0] = section.tableId;
  bytes.writeUInt16BE(0xb000 | (bytes.length - 3), 1);
  bytes.writeUInt16BE(section.id, 3);
  bytes[5] = 0xc1 | (section.version << 1);
  section.body.copy(bytes, headerSize);
  bytes.writeUInt32BE(mpegCrc32(bytes.subarray(0, -crcSize)), bytes.length - crcSize);
  return bytes;
}

/** PID of the first program's map; undefined when the section is not a valid table with a program. */
export function parsePat(section: Buffer): number | undefined {
  const body = bodyOf(section, patTableId);
  if (body === undefined) return undefined;
  for (let offset = 0; offset + 4 <= body.length; offset += 4) {
    if (body.readUInt16BE(offset) !== 0) return body.readUInt16BE(offset + 2) & 0x1fff;
  }
  return undefined;
}

/** Undefined when the section is not a valid program map. */
export function parsePmt(section: Buffer): ProgramMap | undefined {
  const body = bodyOf(section, pmtTableId);
  if (body === undefined || body.length < 4) return undefined;
  const streams: ElementaryStream[] = [];
  let offset = 4 + (body.readUInt16BE(2) & 0x0fff);
  while (offset + 5 <= body.length) {
    const end = offset + 5 + (body.readUInt16BE(offset + 3) & 0x0fff);
    if (end > body.length) return undefined;
    const descriptors = body.subarray(offset + 5, end);
    streams.push({ streamType: body[offset]!, pid: body.readUInt16BE(offset + 1) & 0x1fff, descriptors });
    offset = end;
  }
  return { pcrPid: body.readUInt16BE(0) & 0x1fff, streams };
}

/** Checks table id, length, checksum and the current_next_indicator. */
function bodyOf(section: Buffer, tableId: number): Buffer | undefined {
  if (section.length < headerSize + crcSize || section[0] !== tableId || (section[5]! & 1) === 0) return undefined;
  return mpegCrc32(section) === 0 ? section.subarray(headerSize, -crcSize) : undefined;
}
