// Writes media messages as chunks into one buffer that many players share. Unlike `chunk-writer`, this copies the payload.
import { extendedMarker } from './chunk-header.ts';
import { outgoingChunkSize } from './chunk-writer.ts';
import { chunkStream, mediaStreamId, messageType } from './message.ts';

/** Audio, video or data message, with its body in two pieces. */
export interface MediaMessage {
  readonly type: number;
  /** Unsigned 32 bit milliseconds. */
  readonly timestampMs: number;
  readonly head: Buffer;
  readonly payload: Buffer;
}

const format3 = 0xc0;

/** Size of the message including chunk headers, bytes. */
export function mediaChunksBytes({ head, payload, timestampMs }: MediaMessage): number {
  const bodyBytes = head.length + payload.length;
  const extendedBytes = timestampMs >= extendedMarker ? 4 : 0;
  const continuations = Math.max(0, Math.ceil(bodyBytes / outgoingChunkSize) - 1);
  return 12 + extendedBytes + bodyBytes + continuations * (1 + extendedBytes);
}

/** Writes all chunks of the message to `target`. Returns the offset after the last chunk. `streamId` is the message stream id. */
export function writeMediaChunks(
  target: Buffer,
  offset: number,
  message: MediaMessage,
  streamId: number = mediaStreamId,
): number {
  const { head, payload } = message;
  const id = chunkStreamOf(message.type);
  let end = writeHeader(target, offset, message, streamId);
  let room = outgoingChunkSize;
  for (const piece of [head, payload]) {
    let from = 0;
    while (from < piece.length) {
      if (room === 0) {
        end = writeContinuation(target, end, id, message.timestampMs);
        room = outgoingChunkSize;
      }
      const taken = piece.copy(target, end, from, Math.min(piece.length, from + room));
      from += taken;
      end += taken;
      room -= taken;
    }
  }
  return end;
}

function chunkStreamOf(type: number): number {
  if (type === messageType.video) return chunkStream.video;
  return type === messageType.audio ? chunkStream.audio : chunkStream.data;
}

function writeHeader(target: Buffer, offset: number, message: MediaMessage, streamId: number): number {
  const { type, timestampMs, head, payload } = message;
  const isExtended = timestampMs >= extendedMarker;
  target[offset] = chunkStreamOf(type);
  target.writeUIntBE(isExtended ? extendedMarker : timestampMs, offset + 1, 3);
  target.writeUIntBE(head.length + payload.length, offset + 4, 3);
  target[offset + 7] = type;
  const end = target.writeUInt32LE(streamId, offset + 8);
  return isExtended ? target.writeUInt32BE(timestampMs, end) : end;
}

function writeContinuation(target: Buffer, offset: number, id: number, timestampMs: number): number {
  target[offset] = format3 | id;
  return timestampMs >= extendedMarker ? target.writeUInt32BE(timestampMs, offset + 1) : offset + 1;
}
