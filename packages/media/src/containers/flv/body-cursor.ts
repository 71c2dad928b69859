// Reads the body of an FLV tag sequentially. Throws `ProtocolError` for a truncated body.
import { ProtocolError } from '../../protocol-error.ts';

export class BodyCursor {
  readonly #body: Buffer;
  #offset = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#body.length;
  }

  uint8(): number {
    return this.#body[this.#take(1)]!;
  }

  uint16(): number {
    return this.#body.readUInt16BE(this.#take(2));
  }

  uint24(): number {
    return this.#body.readUIntBE(this.#take(3), 3);
  }

  int24(): number {
    return this.#body.readIntBE(this.#take(3), 3);
  }

  fourCc(): string {
    const start = this.#take(4);
    return this.#body.toString('latin1', start, start + 4);
  }

  bytes(length: number): Buffer {
    const start = this.#take(length);
    return this.#body.subarray(start, start + length);
  }

  rest(): Buffer {
    return this.bytes(this.#body.length - this.#offset);
  }

  #take(length: number): number {
    const start = this.#offset;
    if (start + length > this.#body.length) throw new ProtocolError('flv', 'truncated body', start);
    this.#offset += length;
    return start;
  }
}
