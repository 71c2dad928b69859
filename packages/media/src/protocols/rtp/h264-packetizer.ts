// Converts H.264 access units to RTP payloads, RFC 6184 packetization mode 1. Small units share a STAP-A (§5.7.1), because each packet
// costs CPU time for every viewer. Large units are split into FU-A (§5.8).

const stapA = 24;
const fuA = 28;

/** Returns the payloads of one access unit in order, none longer than `maxPayloadBytes`. The last packet needs the marker bit. */
export function packetizeH264(units: readonly Buffer[], maxPayloadBytes: number): Buffer[] {
  const payloads: Buffer[] = [];
  let small: Buffer[] = [];
  let smallBytes = 1;
  const flush = (): void => {
    if (small.length === 1) payloads.push(small[0]!);
    else if (small.length > 1) payloads.push(aggregate(small));
    small = [];
    smallBytes = 1;
  };
  for (const unit of units) {
    if (unit.length > maxPayloadBytes) {
      flush();
      pushFragments(unit, maxPayloadBytes, payloads);
      continue;
    }
    if (smallBytes + 2 + unit.length > maxPayloadBytes) flush();
    small.push(unit);
    smallBytes += 2 + unit.length;
  }
  flush();
  return payloads;
}

/** §5.7: the header has the highest NRI of all units. */
function aggregate(units: readonly Buffer[]): Buffer {
  const size = units.reduce((sum, unit) => sum + 2 + unit.length, 1);
  const payload = Buffer.allocUnsafe(size);
  let reference = 0;
  let offset = 1;
  for (const unit of units) {
    reference = Math.max(reference, unit[0]! & 0x60);
    offset = payload.writeUInt16BE(unit.length, offset);
    offset += unit.copy(payload, offset);
  }
  payload[0] = reference | stapA;
  return payload;
}

function pushFragments(unit: Buffer, maxPayloadBytes: number, payloads: Buffer[]): void {
  const indicator = (unit[0]! & 0xe0) | fuA;
  const type = unit[0]! & 0x1f;
  const step = maxPayloadBytes - 2;
  for (let offset = 1; offset < unit.length; offset += step) {
    const end = Math.min(offset + step, unit.length);
    const payload = Buffer.allocUnsafe(2 + end - offset);
    payload[0] = indicator;
    payload[1] = (offset === 1 ? 0x80 : 0) | (end === unit.length ? 0x40 : 0) | type;
    unit.copy(payload, 2, offset, end);
    payloads.push(payload);
  }
}
