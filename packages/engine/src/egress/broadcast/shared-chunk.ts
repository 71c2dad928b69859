// Bytes shared by all viewers of one stream: muxed once, never copied per viewer. HTTP viewers get the plain bytes. For WebSocket viewers,
// a frame header is in the reserved space before the bytes.

/** Longest header of an unmasked WebSocket frame (RFC 6455 §5.2): 2 bytes and a 64-bit length. */
const maxFrameHeaderBytes = 10;
/** FIN bit and opcode of a binary message. */
const finalBinary = 0x82;

export interface ChunkFacts {
  /** Whether a viewer can start here: the first packet is a keyframe, or the stream has no video. */
  readonly isStart: boolean;
  /** Decode time of the first packet, milliseconds. */
  readonly dtsMs: number;
  readonly frames: number;
}

export class SharedChunk {
  readonly plain: Buffer;
  readonly framed: Buffer;
  readonly facts: ChunkFacts;

  /** `fill` writes exactly `bytes` bytes at the given offset. */
  constructor(bytes: number, facts: ChunkFacts, fill: (target: Buffer, offset: number) => void) {
    // allocUnsafeSlow, because a slice of Node's pool would keep unrelated buffers alive.
    const memory = Buffer.allocUnsafeSlow(maxFrameHeaderBytes + bytes);
    fill(memory, maxFrameHeaderBytes);
    this.plain = memory.subarray(maxFrameHeaderBytes);
    this.framed = memory.subarray(writeFrameHeader(memory, bytes));
    this.facts = facts;
  }

  static of(bytes: Buffer, facts: ChunkFacts): SharedChunk {
    return new SharedChunk(bytes.length, facts, (target, offset) => bytes.copy(target, offset));
  }
}

/** Writes the header directly before the payload; returns the offset of the header. */
function writeFrameHeader(memory: Buffer, bytes: number): number {
  const start = maxFrameHeaderBytes - (bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10);
  memory[start] = finalBinary;
  if (bytes < 126) memory[start + 1] = bytes;
  else if (bytes < 65_536) {
    memory[start + 1] = 126;
    memory.writeUInt16BE(bytes, start + 2);
  } else {
    memory[start + 1] = 127;
    memory.writeUIntBE(bytes, start + 4, 6);
    memory.writeUInt16BE(0, start + 2);
  }
  return start;
}
