// Extracts the configuration from an elementary stream. Video: sequence parameter set (H.264 §7.3.2.1, H.265 §7.3.2.2). Audio: frame header
// (ISO/IEC 13818-7 §6.2, 11172-3 §2.4.1.3). Undefined if not found. Pure.

const sequenceParameterSet = { h264: 7, h265: 33 } as const;

/** @param payload start of the first access unit, Annex B. */
export function readVideoConfiguration(type: string, payload: Buffer): Buffer | undefined {
  if (type !== 'h264' && type !== 'h265') return undefined;
  const wanted = sequenceParameterSet[type];
  for (let at = startCode(payload, 0); at >= 0; ) {
    const next = startCode(payload, at + 3);
    const unit = payload.subarray(at + 3, next < 0 ? payload.length : next);
    const head = unit[0] ?? 0;
    const unitType = type === 'h264' ? head & 0x1f : (head >> 1) & 0x3f;
    // The last unit may be truncated.
    if (unitType === wanted) return next < 0 ? undefined : trimZeros(unit);
    at = next;
  }
  return undefined;
}

export function readAudioConfiguration(type: string, payload: Buffer): Buffer | undefined {
  if (payload.length < 4) return undefined;
  const [first = 0, second = 0, third = 0, fourth = 0] = payload;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0;
  // ADTS: profile, sampling rate, channels. MPEG audio: version, layer, sampling rate.
  if (type === 'aac' && isFrame) return Buffer.of(third & 0xfd, fourth & 0xc0);
  if (type === 'mp3' && isFrame) return Buffer.of(second & 0x1e, third & 0x0c);
  return undefined;
}

function startCode(bytes: Buffer, from: number): number {
  return bytes.indexOf('\x00\x00\x01', from, 'latin1');
}

/** Zero bytes before the next start code belong to that start code (Annex B trailing_zero_8bits). */
function trimZeros(unit: Buffer): Buffer {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end--;
  return unit.subarray(0, end);
}
