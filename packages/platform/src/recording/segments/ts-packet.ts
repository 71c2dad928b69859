// Reads MPEG-TS packets (ISO/IEC 13818-1 §2.4.3). Pure; never throws on invalid data.

export const packetBytes = 188;
export const syncByte = 0x47;

export function pidOf(packet: Buffer): number {
  return packet.readUInt16BE(1) & 0x1fff;
}

/** True if a PES packet or section begins in the packet. */
export function startsUnit(packet: Buffer): boolean {
  return ((packet[1] ?? 0) & 0x40) !== 0;
}

export function payloadOf(packet: Buffer): Buffer {
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return packet.subarray(0, 0);
  return packet.subarray(control === 3 ? Math.min(packetBytes, 5 + (packet[4] ?? 0)) : 4);
}

/** Section at the beginning of a payload, after the pointer field and without the CRC. */
export function sectionOf(payload: Buffer): Buffer {
  const section = payload.subarray(1 + (payload[0] ?? 0));
  const length = section.length >= 3 ? section.readUInt16BE(1) & 0x0fff : 0;
  return section.subarray(0, Math.max(0, 3 + length - 4));
}

export function readProgramMapPid(payload: Buffer): number {
  const section = sectionOf(payload);
  for (let at = 8; at + 4 <= section.length; at += 4) {
    if (section.readUInt16BE(at) !== 0) return section.readUInt16BE(at + 2) & 0x1fff;
  }
  return -1;
}
