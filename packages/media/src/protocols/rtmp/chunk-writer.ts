// Converts messages to chunks (RTMP 1.0 §5.3). Every message has a format 0 header with an absolute timestamp. The header takes 12 bytes
// instead of 1 to 8, but does not depend on earlier messages.
import { extendedMarker } from './chunk-header.ts';
import type { RtmpMessage } from './message.ts';

/** Announced chunk size, bytes. Most video frames fit into one chunk. */
export const outgoingChunkSize = 60_000;
const format3 = 0xc0;

/** Returns a list of headers and payload slices, to be written in this order. `chunkStreamId` is 2 to 63. */
export function writeChunks(chunkStreamId: number, message: RtmpMessage, chunkSize = outgoingChunkSize): Buffer[] {
  const { payload, timestamp } = message;
  const parts: Buffer[] = [writeFirstHeader(chunkStreamId, message)];
  if (payload.length <= chunkSize) {
    if (payload.length > 0) parts.push(payload);
    return parts;
  }
  parts.push(payload.subarray(0, chunkSize));
  const between = writeNextHeader(chunkStreamId, timestamp);
  for (let offset = chunkSize; offset < payload.length; offset += chunkSize) {
    parts.push(between, payload.subarray(offset, offset + chunkSize));
  }
  return parts;
}

function writeFirstHeader(chunkStreamId: number, { typeId, streamId, timestamp, payload }: RtmpMessage): Buffer {
  const extended = timestamp >= extendedMarker;
  const header = Buffer.allocUnsafe(extended ? 16 : 12);
  header[0] = chunkStreamId;
  header.writeUIntBE(extended ? extendedMarker : timestamp, 1, 3);
  header.writeUIntBE(payload.length, 4, 3);
  header[7] = typeId;
  header.writeUInt32LE(streamId, 8);
  if (extended) header.writeUInt32BE(timestamp, 12);
  return header;
}

function writeNextHeader(chunkStreamId: number, timestamp: number): Buffer {
  if (timestamp < extendedMarker) return Buffer.of(format3 | chunkStreamId);
  const header = Buffer.allocUnsafe(5);
  header[0] = format3 | chunkStreamId;
  header.writeUInt32BE(timestamp, 1);
  return header;
}
