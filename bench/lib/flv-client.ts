// Reads an HTTP-FLV response as tags, for tools that parse every byte.
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { loopbackUrl } from './loopback.ts';

const fileHeaderBytes = 13; // FLV header and the first PreviousTagSize
const tagHeaderBytes = 11;
const trailerBytes = 4;

export interface FlvTag {
  readonly type: number;
  readonly timestampMs: number;
  readonly body: Buffer;
}

/** Splits a byte stream into tags. @throws on an invalid signature or PreviousTagSize. */
export class FlvTagReader {
  #rest: Buffer[] = [];
  #size = 0;
  #hasHeader = false;

  push(bytes: Buffer): FlvTag[] {
    this.#rest.push(bytes);
    this.#size += bytes.length;
    const tags: FlvTag[] = [];
    if (this.#size < this.#needed()) return tags;
    let buffer = Buffer.concat(this.#rest);
    this.#rest = [buffer];
    while (buffer.length >= this.#needed(buffer)) {
      if (this.#hasHeader) tags.push(readTag(buffer));
      else if (buffer.toString('latin1', 0, 3) !== 'FLV') throw new Error('no FLV signature');
      buffer = buffer.subarray(this.#needed(buffer));
      this.#hasHeader = true;
      this.#rest = [buffer];
      this.#size = buffer.length;
    }
    return tags;
  }

  /** Number of bytes to read before the next step: the file header, a tag header, or a whole tag with its trailer. */
  #needed(buffer = this.#rest[0]): number {
    if (!this.#hasHeader) return fileHeaderBytes;
    if (!buffer || buffer.length < tagHeaderBytes) return tagHeaderBytes;
    return tagHeaderBytes + buffer.readUIntBE(1, 3) + trailerBytes;
  }
}

function readTag(buffer: Buffer): FlvTag {
  const size = buffer.readUIntBE(1, 3);
  const end = tagHeaderBytes + size;
  if (buffer.readUInt32BE(end) !== end)
    throw new Error('PreviousTagSize differs from the size of the preceding FLV tag');
  const timestampMs = buffer.readUIntBE(4, 3) + buffer[7]! * 0x1000000;
  return { type: buffer[0]! & 31, timestampMs, body: Buffer.from(buffer.subarray(tagHeaderBytes, end)) };
}

/**
 * Reads tags until the returned function is called. `onEnd` receives the reason if the response ends earlier.
 * `createConnection` can return an open connection.
 */
export function readFlv(
  url: string,
  onTag: (tag: FlvTag) => void,
  onEnd: (reason: string) => void,
  createConnection?: () => Socket,
): () => void {
  let isOpen = true;
  const end = (reason: string): void => {
    if (!isOpen) return;
    isOpen = false;
    request.destroy();
    onEnd(reason);
  };
  const request = get(
    loopbackUrl(url),
    { agent: false, ...(createConnection && { createConnection }) },
    (response: IncomingMessage) => {
      if (response.statusCode !== 200) return end(`HTTP ${response.statusCode}`);
      const tags = new FlvTagReader();
      response.on('data', (bytes: Buffer) => {
        try {
          for (const tag of tags.push(bytes)) onTag(tag);
        } catch (error) {
          end((error as Error).message);
        }
      });
      response.on('end', () => end('the server ended the FLV response'));
      response.on('error', (error) => end(error.message));
    },
  );
  request.on('error', (error) => end(error.message));
  return () => {
    isOpen = false;
    request.destroy();
  };
}
