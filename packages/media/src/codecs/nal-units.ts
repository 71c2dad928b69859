// NAL unit framing of H.264 and H.265. Splits access units with length prefixes (as in the hub) or start codes (as in MPEG-TS), joins units
// with length prefixes, and removes emulation prevention bytes (ITU-T H.264 §7.4.1).

const startCode = Buffer.from([0, 0, 1]);
/** Maximum number of NAL units per access unit. Later units are dropped. A frame has at most 600 slices. */
export const maxNalUnits = 4_096;

/**
 * NAL units of a length-prefixed access unit, as views. Stops at a unit that exceeds the remaining bytes. Skips empty units, and units
 * beyond {@link maxNalUnits}.
 */
export function splitLengthPrefixed(payload: Buffer, lengthSize = 4): Buffer[] {
  const units: Buffer[] = [];
  let offset = 0;
  while (offset + lengthSize <= payload.length && units.length < maxNalUnits) {
    const size = payload.readUIntBE(offset, lengthSize);
    const end = offset + lengthSize + size;
    if (end > payload.length) break;
    if (size > 0) units.push(payload.subarray(offset + lengthSize, end));
    offset = end;
  }
  return units;
}

/** NAL units between start codes, as views. Skips bytes before the first start code, and units beyond {@link maxNalUnits}. */
export function splitAnnexB(data: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let start = data.indexOf(startCode);
  while (start >= 0 && units.length < maxNalUnits) {
    const next = data.indexOf(startCode, start + 3);
    const unit = withoutTrailingZeros(data, start + 3, next < 0 ? data.length : next);
    if (unit.length > 0) units.push(unit);
    start = next;
  }
  return units;
}

/** Trailing zeros belong to the next start code or are padding, because the last byte of a NAL unit is never zero. */
function withoutTrailingZeros(data: Buffer, start: number, end: number): Buffer {
  let last = end;
  while (last > start && data[last - 1] === 0) last--;
  return data.subarray(start, last);
}

/** Creates an access unit with 4-byte length prefixes, as in packets of the hub. */
export function joinLengthPrefixed(units: readonly Buffer[]): Buffer {
  const size = units.reduce((total, unit) => total + 4 + unit.length, 0);
  const joined = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const unit of units) {
    offset = joined.writeUInt32BE(unit.length, offset);
    offset += unit.copy(joined, offset);
  }
  return joined;
}

/** Removes emulation prevention bytes: `00 00 03` becomes `00 00`. */
export function unescapeNalUnit(unit: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(unit.length);
  let size = 0;
  let zeros = 0;
  for (const byte of unit) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    plain[size++] = byte;
  }
  return plain.subarray(0, size);
}
