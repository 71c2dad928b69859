// Packets of one track that are sent to all viewers together, and their bytes per payload type, which viewers of that type share.
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
