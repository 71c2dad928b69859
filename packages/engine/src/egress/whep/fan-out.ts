// Hands the packets of a broadcast to its viewers: a bounded number per turn of the event loop, beginning with another viewer each
// time so that nobody is always last. A viewer gets all that waits for it in one visit: coming back costs more (its state has left
// the processor's caches meanwhile) than changing the socket's mark between picture and sound.
import type { SharedRtpPacket } from './shared-rtp-packet.ts';

/** Packets sent in one turn of the event loop: 2 to 4 ms, so that other streams and calls are served between. */
const packetsPerTurn = 256;

export type Kind = 'video' | 'audio';
export const kinds = ['video', 'audio'] as const;

interface FanOutViewer {
  /** Packets of one track, in order. */
  send(kind: Kind, packets: readonly SharedRtpPacket[]): void;
}

type Batch = Record<Kind, SharedRtpPacket[]>;

export class FanOut<Viewer extends FanOutViewer> {
  readonly #defer: (callback: () => void) => void;
  #pending: Batch = { video: [], audio: [] };
  #isServing = false;
  #first = 0;

  /** `defer` runs its callback in another turn of the event loop. */
  constructor(defer: (callback: () => void) => void = setImmediate) {
    this.#defer = defer;
  }

  add(kind: Kind, packet: SharedRtpPacket): void {
    this.#pending[kind].push(packet);
  }

  /** Sends what was added, now or when the batch before is through; `viewers` gives those who are there then. */
  flush(viewers: () => readonly Viewer[]): void {
    if (this.#isServing) return;
    const batch = this.#pending;
    const packets = batch.video.length + batch.audio.length;
    if (packets === 0) return;
    this.#pending = { video: [], audio: [] };
    const all = viewers();
    this.#first = (this.#first + 1) % Math.max(1, all.length);
    const order = [...all.slice(this.#first), ...all.slice(0, this.#first)];
    this.#serve({ batch, order, perTurn: Math.max(1, Math.floor(packetsPerTurn / packets)) }, 0, viewers);
  }

  #serve(
    round: { readonly batch: Batch; readonly order: readonly Viewer[]; readonly perTurn: number },
    from: number,
    viewers: () => readonly Viewer[],
  ): void {
    const { batch, order, perTurn } = round;
    const next = from + perTurn;
    for (const viewer of order.slice(from, next)) {
      if (batch.video.length > 0) viewer.send('video', batch.video);
      if (batch.audio.length > 0) viewer.send('audio', batch.audio);
    }
    this.#isServing = next < order.length;
    if (this.#isServing) this.#defer(() => this.#serve(round, next, viewers));
    else this.flush(viewers);
  }
}
