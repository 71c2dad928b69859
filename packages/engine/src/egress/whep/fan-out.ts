// Sends the packets of a broadcast to its viewers, a limited number per turn of the event loop. Each batch starts with another viewer. A
// viewer gets pending video and audio together. The DSCP mark of the socket changes between video and audio. A second pass over all viewers
// would cost more, because of CPU caches.
import { SharedPackets } from './shared-packets.ts';
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Packets sent per turn of the event loop: 2 to 4 ms. Other streams and requests are served between turns. */
const packetsPerTurn = 256;

export type Kind = 'video' | 'audio';
export const kinds = ['video', 'audio'] as const;

interface FanOutViewer {
  send(kind: Kind, packets: SharedPackets): void;
}

interface Round<Viewer> {
  readonly tracks: readonly { readonly kind: Kind; readonly packets: SharedPackets }[];
  readonly order: readonly Viewer[];
  readonly perTurn: number;
}

export class FanOut<Viewer extends FanOutViewer> {
  readonly #defer: (callback: () => void) => void;
  #pending: Record<Kind, SharedRtpPacket[]> = { video: [], audio: [] };
  #isServing = false;
  #first = 0;

  /** @param defer runs a callback in another turn of the event loop. */
  constructor(defer: (callback: () => void) => void = setImmediate) {
    this.#defer = defer;
  }

  add(kind: Kind, packet: SharedRtpPacket): void {
    this.#pending[kind].push(packet);
  }

  /** Sends the added packets now, or after the current batch. @param viewers returns the viewers at that time. */
  flush(viewers: () => readonly Viewer[]): void {
    if (this.#isServing) return;
    const batch = this.#pending;
    const packets = batch.video.length + batch.audio.length;
    if (packets === 0) return;
    this.#pending = { video: [], audio: [] };
    const all = viewers();
    this.#first = (this.#first + 1) % Math.max(1, all.length);
    const order = [...all.slice(this.#first), ...all.slice(0, this.#first)];
    const tracks = kinds
      .filter((kind) => batch[kind].length > 0)
      .map((kind) => ({ kind, packets: new SharedPackets(batch[kind]) }));
    this.#serve({ tracks, order, perTurn: Math.max(1, Math.floor(packetsPerTurn / packets)) }, 0, viewers);
  }

  #serve(round: Round<Viewer>, from: number, viewers: () => readonly Viewer[]): void {
    const { tracks, order, perTurn } = round;
    const next = Math.min(order.length, from + perTurn);
    for (let index = from; index < next; index++) {
      for (const { kind, packets } of tracks) order[index]!.send(kind, packets);
    }
    this.#isServing = next < order.length;
    if (this.#isServing) this.#defer(() => this.#serve(round, next, viewers));
    else this.flush(viewers);
  }
}
