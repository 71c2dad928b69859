// One slate on the air: which packets are due, and when the source takes the stream back. Pure; time is a parameter.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { Track } from '@srs-stack/media/track.ts';
import type { SlateLoop, SlateMedia } from './slate-media.ts';

/** Most media of one step, milliseconds: after a stall of the process the slate continues without catching up. */
const maxStepMs = 2_000;
/** A source that came back without video for so long has none, milliseconds. */
const audioOnlyAfterMs = 3_000;

export interface SourceFacts {
  readonly tracks: readonly Track[];
  readonly metadata: StreamMetadata | undefined;
}

export class SlateShow {
  readonly sinceMs: number;
  readonly #loops: readonly PlayedLoop[];
  readonly #hasVideo: boolean;
  #startMs: number;
  #shownMs = 0;
  #tracks = new Map<Track['kind'], Track>();
  #metadata: StreamMetadata | undefined;
  #sawVideo = false;
  #firstPacketMs: number | undefined;

  constructor({ video, audio }: SlateMedia, now: number) {
    this.sinceMs = now;
    this.#startMs = now;
    this.#hasVideo = video !== undefined;
    this.#loops = [video, audio].flatMap((loop) => (loop ? new PlayedLoop(loop) : []));
  }

  /** Packets that are due, in decode order, on a clock that starts at 0. */
  take(now: number): Packet[] {
    if (now - this.#startMs - this.#shownMs > maxStepMs) this.#startMs = now - this.#shownMs - maxStepMs;
    this.#shownMs = now - this.#startMs;
    const packets = this.#loops.flatMap((loop) => loop.take(this.#shownMs));
    return packets.sort((a, b) => a.dtsMs - b.dtsMs);
  }

  /** What the source announces meanwhile is kept for its return. */
  keepTrack(track: Track): void {
    this.#tracks.set(track.kind, track);
  }

  keepMetadata(metadata: StreamMetadata): void {
    this.#metadata = metadata;
  }

  get source(): SourceFacts {
    return { tracks: [...this.#tracks.values()], metadata: this.#metadata };
  }

  /** Another publisher came: what the one before announced is void. */
  forgetSource(): void {
    this.#tracks = new Map();
    this.#metadata = undefined;
    this.#sawVideo = false;
    this.#firstPacketMs = undefined;
  }

  /** Whether the stream is the source's again with this packet: with a video keyframe, or at once where there is no video. */
  isReturn(packet: Packet, now: number): boolean {
    this.#firstPacketMs ??= now;
    if (packet.track.kind === 'video') {
      this.#sawVideo = true;
      return packet.keyframe;
    }
    return !this.#hasVideo || (!this.#sawVideo && now - this.#firstPacketMs >= audioOnlyAfterMs);
  }
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
