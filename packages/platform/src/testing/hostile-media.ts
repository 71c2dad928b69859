// Small files that declare huge contents, for testing the limits of parsers.
import { crc32, deflateSync } from 'node:zlib';

/** A file of 4.6 KB whose only track declares `samples` samples (ISO/IEC 14496-12 §8.6, §8.7). */
export function mp4Claiming(samples: number): Buffer {
  const table = (type: string, ...entries: number[]) => box(type, words(0, ...entries));
  const sampleEntry = box('avc1', Buffer.concat([Buffer.alloc(7), Buffer.from([1]), Buffer.alloc(70)]));
  sampleEntry.writeUInt16BE(320, 32);
  sampleEntry.writeUInt16BE(240, 34);
  const tables = [
    box('stsd', Buffer.concat([words(0, 1), sampleEntry])),
    table('stts', 1, samples, 1),
    table('stsc', 1, 1, samples, 1),
    table('stsz', 1, samples),
    table('stco', 1, 40),
  ];
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 1_000, samples, 0)),
    box('hdlr', Buffer.concat([words(0, 0), Buffer.from('vide'), Buffer.alloc(13)])),
    box('minf', box('vmhd', Buffer.alloc(12)), box('stbl', ...tables)),
  );
  const track = box('trak', box('tkhd', words(3, 0, 0, 1, 0, samples), Buffer.alloc(60)), media);
  const movie = box('moov', box('mvhd', words(0, 0, 0, 1_000, samples), Buffer.alloc(80)), track);
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\x02\0isommp41')), box('mdat', Buffer.alloc(4_000)), movie]);
}

/** A black one-bit PNG with about 8,000 pixels per byte of the file (ISO/IEC 15948 §11.2). */
export function greyPng(width: number, height: number): Buffer {
  const header = Buffer.concat([words(width, height), Buffer.from([1, 0, 0, 0, 0])]);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([words(8 + body.length), Buffer.from(type, 'latin1'), body]);
}

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  return Buffer.concat([words(body.length), typed, words(crc32(typed))]);
}
