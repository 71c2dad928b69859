// Splits AV1 temporal units into RTP payloads (RTP Payload Format for AV1 1.0, §4). Every OBU element has a length field (W is 0).
import { isKeyUnit, obuType, obuTypeOf, writeLeb128 } from '../../codecs/av1.ts';

const startsSequence = 0x08;
const continuesInNext = 0x40;
const continuesPrevious = 0x80;
/** Minimum space in a packet for starting another OBU, bytes. */
const leastSpaceBytes = 16;
/** Size of an element's length field, bytes; sufficient for payloads below 16,384. */
const lengthBytes = 2;
/** OBU types that are not sent, because receivers do not need these OBUs (§5). */
const omitted: ReadonlySet<number> = new Set([obuType.temporalDelimiter, obuType.tileList, obuType.padding]);

/** `obus` belong to one temporal unit and have no size fields. */
export function packetizeAv1(obus: readonly Buffer[], maxBytes: number): Buffer[] {
  const sent = obus.filter((obu) => obu.length > 0 && !omitted.has(obuTypeOf(obu)));
  const packets: { flags: number; parts: Buffer[] }[] = [];
  let space = 0;
  for (const obu of sent) {
    for (let at = 0; at < obu.length; ) {
      if (space < leastSpaceBytes || at > 0) {
        packets.push({ flags: at > 0 ? continuesPrevious : 0, parts: [] });
        space = maxBytes - 1;
      }
      const part = obu.subarray(at, at + space - lengthBytes);
      const packet = packets.at(-1)!;
      packet.parts.push(writeLeb128(part.length), part);
      space -= lengthBytes + part.length;
      at += part.length;
      if (at < obu.length) packet.flags |= continuesInNext;
    }
  }
  if (packets[0] && isKeyUnit(sent)) packets[0].flags |= startsSequence;
  return packets.map(({ flags, parts }) => Buffer.concat([Buffer.of(flags), ...parts]));
}
