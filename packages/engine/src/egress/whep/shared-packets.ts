// Packets of one track, sent to all viewers together. Viewers with the same payload type share the bytes.
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

export interface Datagrams {
  readonly all: readonly Buffer[];
  readonly bytes: number;
}

export class SharedPackets {
  readonly packets: readonly SharedRtpPacket[];
  readonly #byPayloadType = new Map<number, Datagrams>();

  constructor(packets: readonly SharedRtpPacket[]) {
    this.packets = packets;
  }

  forPayloadType(payloadType: number): Datagrams {
    let datagrams = this.#byPayloadType.get(payloadType);
    if (!datagrams) {
      const all = this.packets.map((packet) => packet.forPayloadType(payloadType));
      datagrams = { all, bytes: this.packets.reduce((sum, { bytes }) => sum + bytes, 0) };
      this.#byPayloadType.set(payloadType, datagrams);
    }
    return datagrams;
  }
}
