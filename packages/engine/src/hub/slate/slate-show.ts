// One slate on air: finds the packets that are due. Time is a parameter.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { Track } from '@srs-stack/media/track.ts';
import type { SlateLoop, SlateMedia } from './slate-media.ts';
import type { StandIn } from './stand-in.ts';

/** Maximum media time per step, milliseconds. After a stall of the process, the missed media is skipped. */
const maxStepMs = 2_000;

export class SlateShow implements StandIn {
  readonly sinceMs: number;
  readonly hasVideo: boolean;
  readonly #loops: readonly PlayedLoop[];
  #startMs: number;
  #shownMs = 0;

  constructor({ video, audio }: SlateMedia, now: number, sinceMs = now) {
    this.sinceMs = sinceMs;
    this.hasVideo = video !== undefined;
    this.#startMs = now;
    const periodMs = (video ?? audio)?.durationMs ?? 0;
    const loops = [video, audio] as (SlateLoop<Packet & { track: Track }> | undefined)[];
    this.#loops = loops.flatMap((loop) => (loop ? new PlayedLoop(loop, periodMs) : []));
  }

  /** Due packets in decode order. Their times start at 0. */
  take(now: number): Packet[] {
    if (now - this.#startMs - this.#shownMs > maxStepMs) this.#startMs = now - this.#shownMs - maxStepMs;
    this.#shownMs = now - this.#startMs;
    const packets = this.#loops.flatMap((loop) => loop.take(this.#shownMs));
    return packets.sort((a, b) => a.dtsMs - b.dtsMs);
  }

  close(): void {}
}

/**
 * Plays packets in a loop without gaps. The audio restarts with each round of the video. If a round is no whole number of audio frames,
 * some rounds have an additional frame, so that both tracks stay within one audio frame of each other.
 */
class PlayedLoop {
  readonly #packets: readonly (Packet & { track: Track })[];
  readonly #durationMs: number;
  readonly #periodMs: number;
  /** Maximum time by which a round may start early, milliseconds: half a packet. */
  readonly #toleranceMs: number;
  #index = 0;
  #round = 0;
  #nextMs = 0;

  constructor({ packets, durationMs }: SlateLoop<Packet & { track: Track }>, periodMs: number) {
    this.#packets = packets;
    this.#durationMs = durationMs;
    this.#periodMs = periodMs;
    this.#toleranceMs = durationMs / packets.length / 2;
  }

  take(untilMs: number): Packet[] {
    const due: Packet[] = [];
    while (this.#nextMs <= untilMs) {
      const packet = this.#packets[this.#index]!;
      due.push({ ...packet, dtsMs: this.#nextMs, ptsMs: this.#nextMs + packet.ptsMs - packet.dtsMs });
      this.#advance(packet);
    }
    return due;
  }

  #advance({ dtsMs }: Packet): void {
    this.#index++;
    this.#nextMs += (this.#packets[this.#index]?.dtsMs ?? this.#durationMs) - dtsMs;
    if (this.#nextMs >= (this.#round + 1) * this.#periodMs - this.#toleranceMs) {
      this.#round++;
      this.#index = 0;
    }
    // A loop that is shorter than the round, such as silence, is repeated within the round.
    if (this.#index === this.#packets.length) this.#index = 0;
  }
}
