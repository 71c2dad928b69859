// Payloads to send: new packets in order, and unacknowledged packets for retransmission. Limited by age (too-late drop) and by number.
import type { SequenceRange } from '../packet/loss-report.ts';
import { addToSequence, isSequenceBefore, sequenceDistance } from '../sequence-number.ts';

export interface OutgoingPacket {
  readonly sequence: number;
  readonly messageNumber: number;
  /** Time at which the payload was passed to this connection, microseconds. */
  readonly originUs: number;
  readonly payload: Buffer;
  /** The flag of the key that encrypted the payload; 0: unencrypted. */
  readonly encryption: 0 | 1 | 2;
  sentCount: number;
  lost: boolean;
  lastSentUs: number;
}

/** Largest message number (26 bits). The next number is 1. */
const maxMessageNumber = 0x03ff_ffff;

export class SendBuffer {
  readonly #capacity: number;
  #packets: (OutgoingPacket | undefined)[];
  #first: number;
  #next: number;
  #end: number;
  #messageNumber = 1;
  #lostCount = 0;
  #acknowledged = 0;

  constructor(initialSequence: number, capacity: number) {
    this.#capacity = capacity;
    this.#packets = new Array(capacity).fill(undefined);
    this.#first = initialSequence;
    this.#next = initialSequence;
    this.#end = initialSequence;
  }

  get inFlight(): number {
    return sequenceDistance(this.#next, this.#first);
  }

  get waiting(): number {
    return sequenceDistance(this.#end, this.#next);
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  get hasLost(): boolean {
    return this.#lostCount > 0;
  }

  get nextSequence(): number {
    return this.#end;
  }

  get isFull(): boolean {
    return sequenceDistance(this.#end, this.#first) >= this.#capacity;
  }

  push(payload: Buffer, originUs: number, encryption: 0 | 1 | 2): boolean {
    if (this.isFull) return false;
    this.#packets[this.#end % this.#capacity] = {
      sequence: this.#end,
      messageNumber: this.#messageNumber,
      originUs,
      payload,
      encryption,
      sentCount: 0,
      lost: false,
      lastSentUs: 0,
    };
    this.#end = addToSequence(this.#end, 1);
    this.#messageNumber = this.#messageNumber === maxMessageNumber ? 1 : this.#messageNumber + 1;
    return true;
  }

  /** The next packet to send: the oldest lost packet, or a new packet inside the window. */
  take(windowPackets: number): OutgoingPacket | undefined {
    return this.#takeLost() ?? this.#takeFresh(windowPackets);
  }

  #takeLost(): OutgoingPacket | undefined {
    if (this.#lostCount === 0) return undefined;
    const span = this.inFlight;
    for (let offset = 0, sequence = this.#first; offset < span; offset++, sequence = addToSequence(sequence, 1)) {
      const packet = this.#packets[sequence % this.#capacity];
      if (!packet?.lost) continue;
      packet.lost = false;
      this.#lostCount--;
      return packet;
    }
    this.#lostCount = 0;
    return undefined;
  }

  #takeFresh(windowPackets: number): OutgoingPacket | undefined {
    if (this.waiting <= 0 || this.inFlight >= windowPackets) return undefined;
    const packet = this.#packets[this.#next % this.#capacity];
    this.#next = addToSequence(this.#next, 1);
    return packet;
  }

  /** Releases all packets before `sequence`. Returns false if this number was never sent. */
  acknowledge(sequence: number): boolean {
    if (sequenceDistance(sequence, this.#next) > 0) return false;
    this.#acknowledged += Math.max(0, sequenceDistance(sequence, this.#first));
    this.#release(sequence);
    return true;
  }

  /**
   * Marks the packets of a loss report. A packet that was retransmitted less than `guardUs` ago is not marked, because its retransmission
   * had not arrived when the report was sent. Returns the ranges that are no longer buffered, so that the peer stops requesting them.
   */
  markLost(ranges: readonly SequenceRange[], nowUs: number, guardUs: number): SequenceRange[] {
    const gone: SequenceRange[] = [];
    // Ranges of a valid report do not overlap, so the number of packets in flight is enough as limit.
    let left = this.inFlight;
    for (const range of ranges) {
      left -= this.#markRange(range, left, nowUs, guardUs);
      if (sequenceDistance(this.#first, range.first) <= 0) continue;
      const lastGone = addToSequence(this.#first, -1);
      gone.push({ first: range.first, last: isSequenceBefore(range.last, lastGone) ? range.last : lastGone });
    }
    return gone;
  }

  /** Returns the number of examined packets, at most `limit`. */
  #markRange({ first, last }: SequenceRange, limit: number, nowUs: number, guardUs: number): number {
    // Compares offsets from the oldest packet. Sequence numbers themselves change their order at half the circle, and a range may cross
    // this point.
    const firstOffset = sequenceDistance(first, this.#first);
    const start = Math.max(0, firstOffset);
    const stop = Math.min(this.inFlight, firstOffset + sequenceDistance(last, first) + 1, start + limit);
    for (let offset = start; offset < stop; offset++) {
      const packet = this.#packets[addToSequence(this.#first, offset) % this.#capacity];
      if (!packet || packet.lost || (packet.sentCount > 1 && nowUs - packet.lastSentUs < guardUs)) continue;
      packet.lost = true;
      this.#lostCount++;
    }
    return Math.max(0, stop - start);
  }

  /** After a silence of the peer, marks all packets in flight as lost (§4.8.2). */
  markAllInFlight(): void {
    const last = addToSequence(this.#next, -1);
    if (this.inFlight > 0) this.markLost([{ first: this.#first, last }], Number.MAX_SAFE_INTEGER, 0);
  }

  /** Drops packets that were accepted before `originUs` (too-late drop, §4.6). Returns the dropped range. */
  dropOlderThan(originUs: number): SequenceRange | undefined {
    const first = this.#first;
    let sequence = first;
    while (sequenceDistance(this.#end, sequence) > 0) {
      const packet = this.#packets[sequence % this.#capacity];
      if (packet && packet.originUs >= originUs) break;
      sequence = addToSequence(sequence, 1);
    }
    if (sequence === first) return undefined;
    if (sequenceDistance(sequence, this.#next) > 0) this.#next = sequence;
    this.#release(sequence);
    return { first, last: addToSequence(sequence, -1) };
  }

  /** Removes all packets. Returns the range that was already sent. New packets reuse the sequence numbers of unsent packets. */
  discardAll(): SequenceRange | undefined {
    const first = this.#first;
    const sent = this.#next;
    this.#release(this.#end);
    this.#first = sent;
    this.#end = sent;
    return first === sent ? undefined : { first, last: addToSequence(sent, -1) };
  }

  #release(before: number): void {
    while (sequenceDistance(before, this.#first) > 0) {
      const index = this.#first % this.#capacity;
      if (this.#packets[index]?.lost) this.#lostCount--;
      this.#packets[index] = undefined;
      this.#first = addToSequence(this.#first, 1);
    }
  }
}
