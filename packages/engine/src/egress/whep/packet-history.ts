// Recently sent video packets by sequence number, for retransmissions and for new viewers. New viewers get all packets since the last
// keyframe.
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** A power of two, so that ring positions survive the wrap of 16-bit sequence numbers. 8 s at 1,000 packets/s. */
export const historyPackets = 8192;

export class PacketHistory {
  readonly #ring: (SharedRtpPacket | undefined)[] = new Array(historyPackets).fill(undefined);
  readonly #maxBytes: number;
  #newest: number | undefined;
  #oldest = 0;
  #bytes = 0;
  /** First packet of the last keyframe; undefined after its removal. */
  #start: number | undefined;

  /** @param maxBytes limit of all kept packets. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(packet: SharedRtpPacket, isStart: boolean): void {
    if (this.#newest === undefined) this.#oldest = packet.sequence;
    this.#newest = packet.sequence;
    if (isStart) this.#start = packet.sequence;
    this.#drop(packet.sequence);
    this.#ring[packet.sequence % historyPackets] = packet;
    this.#bytes += packet.bytes;
    while (this.#bytes > this.#maxBytes && this.#oldest !== packet.sequence) this.#dropOldest();
  }

  /** Packet with this number; undefined after its removal. */
  get(sequence: number): SharedRtpPacket | undefined {
    const packet = this.#ring[sequence % historyPackets];
    return packet?.sequence === sequence ? packet : undefined;
  }

  /** Packets since the last keyframe in ascending order; empty after removal of the keyframe. */
  sinceStart(): SharedRtpPacket[] {
    if (this.#start === undefined || this.#newest === undefined) return [];
    const packets: SharedRtpPacket[] = [];
    for (let sequence = this.#start; ; sequence = (sequence + 1) & 0xffff) {
      const packet = this.get(sequence);
      if (!packet) return [];
      packets.push(packet);
      if (sequence === this.#newest) return packets;
    }
  }

  /** Call when another publisher starts: new viewers then get no packets of the previous publisher. */
  forgetStart(): void {
    this.#start = undefined;
  }

  #dropOldest(): void {
    this.#drop(this.#oldest);
    this.#oldest = (this.#oldest + 1) & 0xffff;
  }

  #drop(sequence: number): void {
    const index = sequence % historyPackets;
    const packet = this.#ring[index];
    if (!packet) return;
    if (packet.sequence === this.#start && packet.sequence !== this.#newest) this.#start = undefined;
    this.#bytes -= packet.bytes;
    this.#ring[index] = undefined;
  }
}
