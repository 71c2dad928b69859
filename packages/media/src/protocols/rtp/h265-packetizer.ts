// Converts H.265 access units to RTP payloads, RFC 7798 without DON. Small units share an aggregation packet (§4.4.2). Large units are
// split into fragmentation units (§4.4.3).

const aggregationType = 48;
const fragmentType = 49;
const headerBytes = 2;

/** Returns the payloads of one access unit in order, none longer than `maxPayloadBytes`. The last packet needs the marker bit. */
export function packetizeH265(units: readonly Buffer[], maxPayloadBytes: number): Buffer[] {
  const payloads: Buffer[] = [];
  let small: Buffer[] = [];
  let smallBytes = headerBytes;
  const flush = (): void => {
    if (small.length === 1) payloads.push(small[0]!);
    else if (small.length > 1) payloads.push(aggregate(small));
    small = [];
    smallBytes = headerBytes;
  };
  for (const unit of units) {
    if (unit.length <= headerBytes) continue;
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

/** §4.4.2: the header has the lowest layer and the lowest temporal id of all units. All sent units have layer 0. */
function aggregate(units: readonly Buffer[]): Buffer {
  const payload = Buffer.allocUnsafe(units.reduce((sum, unit) => sum + 2 + unit.length, headerBytes));
  payload[0] = aggregationType << 1;
  payload[1] = Math.min(...units.map((unit) => unit[1]! & 7));
  let offset = headerBytes;
  for (const unit of units) {
    offset = payload.writeUInt16BE(unit.length, offset);
    offset += unit.copy(payload, offset);
  }
  return payload;
}

function pushFragments(unit: Buffer, maxPayloadBytes: number, payloads: Buffer[]): void {
  const type = (unit[0]! >> 1) & 0x3f;
  const step = maxPayloadBytes - headerBytes - 1;
  for (let offset = headerBytes; offset < unit.length; offset += step) {
    const end = Math.min(offset + step, unit.length);
    const payload = Buffer.allocUnsafe(headerBytes + 1 + end - offset);
    payload[0] = (unit[0]! & 0x81) | (fragmentType << 1);
    payload[1] = unit[1]!;
    payload[2] = (offset === headerBytes ? 0x80 : 0) | (end === unit.length ? 0x40 : 0) | type;
    unit.copy(payload, headerBytes + 1, offset, end);
    payloads.push(payload);
  }
}
