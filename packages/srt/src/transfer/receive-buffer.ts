// Received packets that wait for delivery, in a ring of slots from the next packet to the newest packet. A gap is a loss: it is reported,
// then filled by a retransmission or skipped when it is too late.
import type { SequenceRange } from '../packet/loss-report.ts';
import { addToSequence, sequenceDistance } from '../sequence-number.ts';

export interface ReceivedPacket {
  readonly sequence: number;
  /** Time at which the packet is due, microseconds of the receiver's clock. */
  readonly dueUs: number;
  readonly payload: Buffer;
}

export type StoreResult = 'stored' | 'duplicate' | 'too-late' | 'beyond-window';

export class ReceiveBuffer {
  readonly #slots: (ReceivedPacket | undefined)[];
  #next: number;
  #end: number;
  #stored = 0;

  /** @param capacity packets; the flow window that was announced to the sender. */
  constructor(initialSequence: number, capacity: number) {
    this.#slots = new Array(capacity).fill(undefined);
    this.#next = initialSequence;
    this.#end = initialSequence;
  }

  get freePackets(): number {
    return this.#slots.length - this.#span;
  }

  get storedPackets(): number {
    return this.#stored;
  }

  get endSequence(): number {
    return this.#end;
  }

  get #span(): number {
    return sequenceDistance(this.#end, this.#next);
  }

  /** The gap between the newest packet and `sequence`; undefined without a gap. */
  gapBefore(sequence: number): SequenceRange | undefined {
    const ahead = sequenceDistance(sequence, this.#end);
    return ahead > 0 ? { first: this.#end, last: addToSequence(sequence, -1) } : undefined;
  }

  store(packet: ReceivedPacket): StoreResult {
    const offset = sequenceDistance(packet.sequence, this.#next);
    if (offset < 0) return 'too-late';
    if (offset >= this.#slots.length) return 'beyond-window';
    const index = packet.sequence % this.#slots.length;
    if (this.#slots[index]) return 'duplicate';
    this.#slots[index] = packet;
    this.#stored++;
    if (sequenceDistance(packet.sequence, this.#end) >= 0) this.#end = addToSequence(packet.sequence, 1);
    return 'stored';
  }

  /** The sequence number for an ACK: the first missing packet, or the end of the buffer. */
  acknowledgedUpTo(): number {
    let sequence = this.#next;
    const span = this.#span;
    for (let offset = 0; offset < span; offset++) {
      if (!this.#slots[sequence % this.#slots.length]) return sequence;
      sequence = addToSequence(sequence, 1);
    }
    return sequence;
  }

  /** At most `limit` missing ranges between the next and the newest packet, oldest first. */
  missingRanges(limit: number): SequenceRange[] {
    if (this.#stored === this.#span) return [];
    const ranges: SequenceRange[] = [];
    const span = this.#span;
    let open: SequenceRange | undefined;
    for (let offset = 0, sequence = this.#next; offset < span; offset++, sequence = addToSequence(sequence, 1)) {
      if (this.#slots[sequence % this.#slots.length]) {
        open = undefined;
      } else if (open) {
        open.last = sequence;
      } else {
        if (ranges.length === limit) break;
        open = { first: sequence, last: sequence };
        ranges.push(open);
      }
    }
    return ranges;
  }

  peek(): ReceivedPacket | undefined {
    return this.#span > 0 ? this.#slots[this.#next % this.#slots.length] : undefined;
  }

  /** The first packet after a gap at the head, with the number of missing packets. */
  peekBehindGap(): { packet: ReceivedPacket; missing: number } | undefined {
    const span = this.#span;
    for (let offset = 0, sequence = this.#next; offset < span; offset++, sequence = addToSequence(sequence, 1)) {
      const packet = this.#slots[sequence % this.#slots.length];
      if (packet) return { packet, missing: offset };
    }
    return undefined;
  }

  take(): ReceivedPacket | undefined {
    const packet = this.peek();
    if (packet) this.#release(1);
    return packet;
  }

  get headSequence(): number {
    return this.#next;
  }

  /**
   * Skips missing packets at the head, up to and including `last`. Stops at a packet that has arrived. Returns the number of skipped
   * packets.
   */
  skipMissingTo(last: number): number {
    let missing = 0;
    while (
      sequenceDistance(last, this.#next) >= 0 &&
      missing < this.#slots.length &&
      !this.#slots[this.#next % this.#slots.length]
    ) {
      this.#release(1);
      missing++;
    }
    return missing;
  }

  /** Skips all packets before `sequence`. Returns how many of them were missing. */
  skipTo(sequence: number): number {
    const count = Math.min(Math.max(sequenceDistance(sequence, this.#next), 0), this.#slots.length);
    const before = this.#stored;
    this.#release(count);
    return count - (before - this.#stored);
  }

  #release(count: number): void {
    for (let step = 0; step < count; step++) {
      const index = this.#next % this.#slots.length;
      if (this.#slots[index]) this.#stored--;
      this.#slots[index] = undefined;
      this.#next = addToSequence(this.#next, 1);
    }
    if (sequenceDistance(this.#end, this.#next) < 0) this.#end = this.#next;
  }
}
