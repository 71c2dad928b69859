// Extracts FLV tags (Adobe Flash Video File Format 10.1, annex E.4) from received bytes. Pure.
import { ProtocolError } from '../../protocol-error.ts';
import { tagHeaderBytes, tagTrailerBytes } from './flv-format.ts';

/** Receives one tag. `body` is never modified afterwards. */
export type FlvTagSink = (type: number, body: Buffer, timestampMs: number) => void;

export class FlvTagReader {
  readonly #onTag: FlvTagSink;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Size of the incomplete tag with header and trailer, bytes; 0 until the header has arrived. */
  #wanted = 0;

  constructor(onTag: FlvTagSink) {
    this.#onTag = onTag;
  }

  /**
   * Reads the next bytes of a sequence of tags without a file header. Throws `ProtocolError` for invalid bytes, and any error of `onTag`.
   * After an error, the reader cannot be used.
   */
  read(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < Math.max(this.#wanted, tagHeaderBytes)) return;
    const whole = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces, this.#bytes);
    const rest = this.#readTags(whole);
    this.#bytes = rest.length;
    this.#pieces = rest.length > 0 ? [rest] : [];
  }

  #readTags(bytes: Buffer): Buffer {
    let offset = 0;
    for (;;) {
      this.#wanted = 0;
      if (bytes.length - offset < tagHeaderBytes) break;
      const bodyBytes = bytes.readUIntBE(offset + 1, 3);
      this.#wanted = tagHeaderBytes + bodyBytes + tagTrailerBytes;
      if (bytes.length - offset < this.#wanted) break;
      const bodyEnd = offset + tagHeaderBytes + bodyBytes;
      if (bytes.readUInt32BE(bodyEnd) !== tagHeaderBytes + bodyBytes) {
        throw new ProtocolError('flv', 'an FLV tag is not followed by its size');
      }
      this.#onTag(bytes[offset]! & 0x1f, bytes.subarray(offset + tagHeaderBytes, bodyEnd), timestampOf(bytes, offset));
      offset += this.#wanted;
    }
    return bytes.subarray(offset);
  }
}

/** Lower 24 bits, then upper 8 bits (E.4.1); milliseconds, unsigned 32 bit. */
function timestampOf(bytes: Buffer, offset: number): number {
  return bytes.readUIntBE(offset + 4, 3) + bytes[offset + 7]! * 0x1000000;
}
