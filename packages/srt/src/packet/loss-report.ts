// Loss lists of NAK packets (draft-sharabayko-srt-01 §3.2.5, Appendix A). An entry is a single number, or a range of two words. The top bit
// of a range's first word is set.
import { SrtProtocolError } from '../protocol-error.ts';
import { addToSequence, sequenceDistance } from '../sequence-number.ts';

export interface SequenceRange {
  first: number;
  last: number;
}

/** Maximum number of words in a packet with 1456 bytes of control information. */
const maxLossReportWords = 364;

/** Parses the body of a NAK. Throws SrtProtocolError for a truncated or backward range. */
export function parseLossReport(body: Buffer): SequenceRange[] {
  const ranges: SequenceRange[] = [];
  const words = body.length >> 2;
  for (let word = 0; word < words; word++) {
    const value = body.readUInt32BE(word * 4);
    if (value < 0x8000_0000) {
      ranges.push({ first: value, last: value });
      continue;
    }
    word++;
    if (word >= words) throw new SrtProtocolError('a loss range in the NAK has no end', body.length);
    const first = value - 0x8000_0000;
    const last = body.readUInt32BE(word * 4) & 0x7fff_ffff;
    if (sequenceDistance(last, first) < 0)
      throw new SrtProtocolError('a loss range in the NAK ends before its start', word * 4);
    ranges.push({ first, last });
  }
  return ranges;
}

/** Writes as many ranges as fit into a packet. The next periodic report contains the rest. */
export function writeLossReport(ranges: readonly SequenceRange[]): Buffer {
  const words: number[] = [];
  for (const { first, last } of ranges) {
    if (words.length + 2 > maxLossReportWords) break;
    if (first === last) words.push(first);
    else if (addToSequence(first, 1) === last) words.push(first, last);
    else words.push(first + 0x8000_0000, last);
  }
  const body = Buffer.allocUnsafe(words.length * 4);
  words.forEach((value, index) => {
    body.writeUInt32BE(value, index * 4);
  });
  return body;
}
