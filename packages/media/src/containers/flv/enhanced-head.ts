// The part that audio and video bodies of Enhanced RTMP v2 share: ModEx prefixes, multitrack, FourCC.
//
//   [8 size-1 [16 size-1 when 255] | data | 4 ModEx type | 4 packet type]*
//   multitrack: 4 multitrack type | 4 packet type | [FourCC] | { [FourCC] | 8 track id | [24 size] | data }*
import type { BodyCursor } from './body-cursor.ts';
import { multitrackType, packetType } from './flv-format.ts';

export interface EnhancedHead {
  readonly type: number;
  readonly fourCc: string;
  /** The remaining bytes for track 0. */
  readonly data: Buffer;
}

/** Collects the ids of dropped tracks. */
export type OtherTracks = Pick<Set<number>, 'add'>;

/** Id of the tracks that the hub accepts: one video and one audio track. */
const carriedTrackId = 0;

/**
 * `firstType` is the packet type in the first byte of the body, `multitrack` the packet type of multitrack bodies. Undefined for metadata
 * (video) or a channel layout (audio), and without data for track 0. Throws `ProtocolError`.
 */
export function readEnhancedHead(
  cursor: BodyCursor,
  firstType: number,
  multitrack: number,
  others: OtherTracks,
): EnhancedHead | undefined {
  const type = skipModEx(cursor, firstType);
  if (type === multitrack) return readMultitrack(cursor, others);
  if (type === packetType.metadata) return undefined;
  return { type, fourCc: cursor.fourCc(), data: cursor.rest() };
}

/** The only known ModEx is a nanosecond offset of the timestamp. The hub does not need this precision. */
function skipModEx(cursor: BodyCursor, firstType: number): number {
  let type = firstType;
  while (type === packetType.modEx) {
    let size = cursor.uint8() + 1;
    if (size === 256) size = cursor.uint16() + 1;
    cursor.bytes(size);
    type = cursor.uint8() & 0x0f;
  }
  return type;
}

/** Stops at track 0. A body that is truncated after this track is accepted. */
function readMultitrack(cursor: BodyCursor, others: OtherTracks): EnhancedHead | undefined {
  const kinds = cursor.uint8();
  const kind = kinds >> 4;
  const type = kinds & 0x0f;
  let fourCc = kind === multitrackType.manyTracksManyCodecs ? '' : cursor.fourCc();
  while (!cursor.atEnd) {
    if (kind === multitrackType.manyTracksManyCodecs) fourCc = cursor.fourCc();
    const trackId = cursor.uint8();
    const data = kind === multitrackType.oneTrack ? cursor.rest() : cursor.bytes(cursor.uint24());
    if (trackId === carriedTrackId) return { type, fourCc, data };
    others.add(trackId);
  }
  return undefined;
}
