// Assembles PES packets from the transport packets of one PID, ISO/IEC 13818-1 §2.4.3.6. Limits the size of a PES packet.

export interface PesPacket {
  /** 90 kHz ticks, 33 bits; undefined when the packet has none. */
  readonly pts: number | undefined;
  readonly dts: number | undefined;
  /** Elementary stream bytes. The next packet overwrites this view. */
  readonly data: Buffer;
}

/** Maximum size of a PES packet, bytes. A 4K keyframe at 100 Mbps is under 5 MB; larger packets are invalid. */
const maxPesSize = 8 * 1024 * 1024;
const initialSize = 64 * 1024;
const fixedHeaderSize = 9;

export class PesAssembler {
  readonly #onPes: (pes: PesPacket) => void;
  #bytes = Buffer.allocUnsafeSlow(initialSize);
  #size = 0;
  #collecting = false;
  /**
   * Whether the last transport packet contained stuffing, as at the end of a PES packet (§2.4.3.5). One in 184 PES packets ends without
   * stuffing.
   */
  #endsPadded = false;

  constructor(onPes: (pes: PesPacket) => void) {
    this.#onPes = onPes;
  }

  push(payload: Buffer, { isUnitStart, isPadded }: { isUnitStart: boolean; isPadded: boolean }): void {
    if (isUnitStart) {
      this.flush();
      this.#collecting = true;
    }
    if (!this.#collecting) return;
    if (this.#size + payload.length > maxPesSize) {
      this.discard();
      return;
    }
    this.#reserve(payload.length);
    this.#size += payload.copy(this.#bytes, this.#size);
    this.#endsPadded = isPadded;
    if (this.#isWhole()) this.flush();
  }

  /** Ends the input. Drops an incomplete PES packet. A PES packet of unknown length counts as complete if it ends with stuffing. */
  end(): void {
    if (this.#wantedSize() > 0 || this.#endsPadded) this.flush();
    else this.discard();
  }

  flush(): void {
    const size = this.#size;
    const wanted = this.#wantedSize();
    this.discard();
    if (size < fixedHeaderSize || (wanted > 0 && size < wanted)) return;
    const pes = parsePes(this.#bytes.subarray(0, wanted > 0 ? wanted : size));
    if (pes !== undefined) this.#onPes(pes);
  }

  discard(): void {
    this.#size = 0;
    this.#collecting = false;
  }

  #isWhole(): boolean {
    const wanted = this.#wantedSize();
    return wanted > 0 && this.#size >= wanted;
  }

  /** Total size from PES_packet_length; 0 when it is unbounded or not known yet. */
  #wantedSize(): number {
    if (this.#size < 6) return 0;
    const length = this.#bytes.readUInt16BE(4);
    return length === 0 ? 0 : 6 + length;
  }

  #reserve(more: number): void {
    if (this.#size + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}

function parsePes(bytes: Buffer): PesPacket | undefined {
  if (bytes.length < fixedHeaderSize || bytes.readUIntBE(0, 3) !== 1 || bytes[6]! >> 6 !== 2) return undefined;
  const headerEnd = fixedHeaderSize + bytes[8]!;
  if (headerEnd > bytes.length) return undefined;
  const flags = bytes[7]! >> 6;
  const pts = flags >= 2 && bytes[8]! >= 5 ? readTimestamp(bytes, fixedHeaderSize) : undefined;
  const dts = flags === 3 && bytes[8]! >= 10 ? readTimestamp(bytes, fixedHeaderSize + 5) : pts;
  return { pts, dts, data: bytes.subarray(headerEnd) };
}

function readTimestamp(bytes: Buffer, at: number): number {
  const high = (bytes[at]! >> 1) & 7;
  return high * 2 ** 30 + (bytes.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (bytes.readUInt16BE(at + 3) >> 1);
}
