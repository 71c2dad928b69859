// Received packets that wait for delivery: a ring of slots from the next packet to deliver to the newest one. Gaps are losses; they are
// reported, filled by retransmissions, or skipped when they are too late.
import type { SequenceRange } from '../packet/loss-report.ts';
import { addToSequence, sequenceDistance } from '../sequence-number.ts';

export interface ReceivedPacket {
  readonly sequence: number;
  /** Receiver time at which the packet is due, microseconds. */
  readonly dueUs: number;
  readonly payload: Buffer;
}

export type StoreResult = 'stored' | 'duplicate' | 'too-late' | 'beyond-window';

export class ReceiveBuffer {
  readonly #slots: (ReceivedPacket | undefined)[];
  /** Sequence number of the next packet to deliver. */
  #next: number;
  /** Sequence number after that of the newest received packet. */
  #end: number;
  #stored = 0;

  /** `capacity`: packets, the flow window announced to the sender. */
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

  /** The gap between the newest packet and this one; undefined when there is none. */
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

  /** First missing packet, or the end when none is missing: the number that an ACK carries. */
  acknowledgedUpTo(): number {
    let sequence = this.#next;
    const span = this.#span;
    for (let offset = 0; offset < span; offset++) {
      if (!this.#slots[sequence % this.#slots.length]) return sequence;
      sequence = addToSequence(sequence, 1);
    }
    return sequence;
  }

  /** Missing ranges between the next packet and the newest, oldest first, at most `limit` of them. */
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

  /** The packet at the head, if it has arrived. */
  peek(): ReceivedPacket | undefined {
    return this.#span > 0 ? this.#slots[this.#next % this.#slots.length] : undefined;
  }

  /** The first packet after a gap at the head, with the size of the gap. */
  peekBehindGap(): { packet: ReceivedPacket; missing: number } | undefined {
    const span = this.#span;
    for (let offset = 0, sequence = this.#next; offset < span; offset++, sequence = addToSequence(sequence, 1)) {
      const packet = this.#slots[sequence % this.#slots.length];
      if (packet) return { packet, missing: offset };
    }
    return undefined;
  }

  /** Removes the head packet. */
  take(): ReceivedPacket | undefined {
    const packet = this.peek();
    if (packet) this.#release(1);
    return packet;
  }

  get headSequence(): number {
    return this.#next;
  }

  /**
   * Skips missing packets at the head, up to and including `last`; stops at the first one that has arrived. Returns the number of skipped
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

  /** Skips the packets at the head up to `sequence` (exclusive). Returns how many were missing. */
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
