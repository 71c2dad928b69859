// Converts tracks, packets and metadata to FLV tags and RTMP message bodies (equal bytes). Pure.
import type { Packet } from '../../packet.ts';
import type { StreamMetadata } from '../../stream-metadata.ts';
import type { Track } from '../../track.ts';
import { frameHead, sequenceHeaderOf } from './flv-body-heads.ts';
import { tagHeaderBytes, tagTrailerBytes, tagType } from './flv-format.ts';
import { writeMetadata, writeSetDataFrame } from './script-data.ts';

/** An RTMP message or FLV tag. The body has two pieces, so that the payload is copied only once. */
export interface FlvMessage {
  readonly type: (typeof tagType)[keyof typeof tagType];
  /** Unsigned 32 bit milliseconds. */
  readonly timestampMs: number;
  readonly head: Buffer;
  readonly payload: Buffer;
}

/** Time of a packet in FLV and RTMP: unsigned 32-bit milliseconds, which wrap after 49 days. */
function toFlvTimestamp(ms: number): number {
  return Math.round(ms) >>> 0;
}

export function toFlvMessage(packet: Packet): FlvMessage {
  return {
    type: packet.track.kind === 'video' ? tagType.video : tagType.audio,
    timestampMs: toFlvTimestamp(packet.dtsMs),
    head: frameHead(packet),
    payload: packet.payload,
  };
}

const nothing = Buffer.alloc(0);

/** The sequence header, which must precede the packets of the track. Undefined in the cases of `sequenceHeaderOf`. */
export function toSequenceHeader(track: Track, atMs: number): FlvMessage | undefined {
  const head = sequenceHeaderOf(track);
  if (!head) return undefined;
  const type = track.kind === 'video' ? tagType.video : tagType.audio;
  return { type, timestampMs: toFlvTimestamp(atMs), head, payload: nothing };
}

/** Always at time 0, because FFmpeg treats onMetaData with another time as a separate track. */
export function toMetadataMessage(metadata: StreamMetadata): FlvMessage {
  return { type: tagType.script, timestampMs: 0, head: writeMetadata(metadata), payload: nothing };
}

/** Metadata as a publisher sends it (`@setDataFrame`). */
export function toSetDataFrameMessage(metadata: StreamMetadata): FlvMessage {
  return { type: tagType.script, timestampMs: 0, head: writeSetDataFrame(metadata), payload: nothing };
}

/** File header (annex E.2) and the first previous-tag size. Only existing tracks have flags. */
export function writeFlvHeader({ hasVideo, hasAudio }: { hasVideo: boolean; hasAudio: boolean }): Buffer {
  const flags = (hasAudio ? 4 : 0) | (hasVideo ? 1 : 0);
  return Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0]);
}

/** Size of the tag with header and trailer, bytes. */
export function flvTagBytes({ head, payload }: FlvMessage): number {
  return tagHeaderBytes + head.length + payload.length + tagTrailerBytes;
}

/** Writes the whole tag to `target` and returns the offset after it. */
export function writeFlvTag(target: Buffer, offset: number, { type, timestampMs, head, payload }: FlvMessage): number {
  const bodyBytes = head.length + payload.length;
  target[offset] = type;
  target[offset + 1] = bodyBytes >>> 16;
  target[offset + 2] = bodyBytes >>> 8;
  target[offset + 3] = bodyBytes;
  target[offset + 4] = timestampMs >>> 16;
  target[offset + 5] = timestampMs >>> 8;
  target[offset + 6] = timestampMs;
  target[offset + 7] = timestampMs >>> 24;
  target[offset + 8] = 0;
  target[offset + 9] = 0;
  target[offset + 10] = 0;
  let end = offset + tagHeaderBytes;
  end += head.copy(target, end);
  end += payload.copy(target, end);
  return target.writeUInt32BE(tagHeaderBytes + bodyBytes, end);
}

/** One tag in a new buffer. */
export function toFlvTag(message: FlvMessage): Buffer {
  const tag = Buffer.allocUnsafe(flvTagBytes(message));
  writeFlvTag(tag, 0, message);
  return tag;
}
