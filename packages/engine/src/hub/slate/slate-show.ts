// One slate on the air: which packets are due. Pure; time is a parameter.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { Track } from '@srs-stack/media/track.ts';
import type { SlateLoop, SlateMedia } from './slate-media.ts';
import type { StandIn } from './stand-in.ts';

/** Maximum media time per step, milliseconds: after a stall of the process the slate continues without catching up. */
const maxStepMs = 2_000;

export class SlateShow implements StandIn {
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  readonly #loops: readonly PlayedLoop[];
  #startMs: number;
  #shownMs = 0;

  constructor({ video, audio }: SlateMedia, now: number) {
    this.sinceMs = now;
    this.hasVideo = video !== undefined;
    this.#startMs = now;
    this.#loops = [video, audio].flatMap((loop) => (loop ? new PlayedLoop(loop) : []));
  }

  /** Packets that are due, in decode order, on a clock that starts at 0. */
  take(now: number): Packet[] {
    if (now - this.#startMs - this.#shownMs > maxStepMs) this.#startMs = now - this.#shownMs - maxStepMs;
    this.#shownMs = now - this.#startMs;
    const packets = this.#loops.flatMap((loop) => loop.take(this.#shownMs));
    return packets.sort((a, b) => a.dtsMs - b.dtsMs);
  }

  close(): void {}
}

/** Each loop repeats on its own: rounds of audio and video have not exactly the same length. */
class PlayedLoop {
  readonly #loop: SlateLoop<Packet & { track: Track }>;
  #next = 0;

  constructor(loop: SlateMedia['video'] | SlateMedia['audio']) {
    this.#loop = loop as SlateLoop<Packet>;
  }

  take(untilMs: number): Packet[] {
    const due: Packet[] = [];
    for (let packet = this.#at(this.#next); packet.dtsMs <= untilMs; packet = this.#at(this.#next)) {
      due.push(packet);
      this.#next++;
    }
    return due;
  }

  #at(index: number): Packet {
    const { packets, durationMs } = this.#loop;
    const packet = packets[index % packets.length]!;
    const shiftMs = Math.floor(index / packets.length) * durationMs;
    return { ...packet, dtsMs: packet.dtsMs + shiftMs, ptsMs: packet.ptsMs + shiftMs };
  }
}
