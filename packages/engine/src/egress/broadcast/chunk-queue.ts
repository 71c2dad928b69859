// The recent chunks of one stream, numbered. Every viewer has a position in it instead of a queue of its own: a slow viewer
// costs no memory beyond the chunks that are kept for the slowest.
import type { SharedChunk } from './shared-chunk.ts';

interface Entry {
  readonly chunk: SharedChunk;
  /** Bytes and frames of the stream before this chunk. */
  readonly bytesBefore: number;
  readonly framesBefore: number;
}

export interface StartLimits {
  readonly maxBytes: number;
  readonly maxDurationMs: number;
}

/** An audio-only viewer starts this far back, milliseconds: enough for a player to begin, little delay. */
const audioStartMs = 1000;

export class ChunkQueue {
  /** Number of the chunk where a viewer has a picture at once; undefined while there is none (a GOP beyond the limits). */
  start: number | undefined;
  /** The newest chunk is of a stream with a picture: without `start` it is in the middle of a GOP. */
  #hasVideo = false;
  #entries: Entry[] = [];
  #first = 0;
  #bytes = 0;
  #frames = 0;
  #newestDtsMs = 0;
  readonly #limits: StartLimits;

  constructor(limits: StartLimits) {
    this.#limits = limits;
  }

  /** Number the next chunk will get. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /**
   * Number of the chunk a new viewer gets first. Within a GOP beyond the limits that is the newest: sound at once, and the picture
   * with the next keyframe, instead of nothing until then.
   */
  get joinStart(): number | undefined {
    if (this.start !== undefined || !this.#hasVideo || this.#entries.length === 0) return this.start;
    return this.end - 1;
  }

  get heldBytes(): number {
    return this.#bytes - (this.#entries[0]?.bytesBefore ?? this.#bytes);
  }

  append(chunk: SharedChunk, hasVideo: boolean): void {
    this.#entries.push({ chunk, bytesBefore: this.#bytes, framesBefore: this.#frames });
    this.#bytes += chunk.plain.length;
    this.#frames += chunk.facts.frames;
    this.#newestDtsMs = chunk.facts.dtsMs;
    this.#hasVideo = hasVideo;
    if (hasVideo) this.#moveVideoStart(chunk);
    else this.#moveAudioStart();
  }

  /** The chunk of that number; undefined when it is not there (any more). */
  at(number: number): SharedChunk | undefined {
    return this.#entries[number - this.#first]?.chunk;
  }

  /** Bytes from that chunk to the newest. */
  bytesFrom(number: number): number {
    return this.#bytes - (this.#entries[Math.max(0, number - this.#first)]?.bytesBefore ?? this.#bytes);
  }

  /** Video frames from one chunk up to, not including, another. */
  framesBetween(from: number, to: number): number {
    return this.#framesBefore(to) - this.#framesBefore(from);
  }

  /** Media time from that chunk to the newest, milliseconds. */
  durationFrom(number: number): number {
    const entry = this.#entries[Math.max(0, number - this.#first)];
    return entry ? this.#newestDtsMs - entry.chunk.facts.dtsMs : 0;
  }

  /** Nothing that is here can start a viewer any more: what follows is of another publisher. */
  forgetStart(): void {
    this.start = undefined;
    this.#hasVideo = false;
  }

  /** Lets go of chunks that neither a new viewer nor a viewer at `slowest` or later needs. */
  trim(slowest: number): void {
    const keepFrom = Math.min(this.start ?? this.end, slowest);
    const count = keepFrom - this.#first;
    if (count <= 0) return;
    this.#entries.splice(0, count);
    this.#first += count;
  }

  #framesBefore(number: number): number {
    return this.#entries[number - this.#first]?.framesBefore ?? this.#frames;
  }

  #moveVideoStart(chunk: SharedChunk): void {
    if (chunk.facts.isStart) this.start = this.end - 1;
    if (this.start === undefined) return;
    const isTooLong =
      this.bytesFrom(this.start) > this.#limits.maxBytes || this.durationFrom(this.start) > this.#limits.maxDurationMs;
    if (isTooLong) this.start = undefined;
  }

  #moveAudioStart(): void {
    this.start = Math.max(this.start ?? this.end - 1, this.#first);
    while (this.durationFrom(this.start) > audioStartMs) this.start++;
  }
}
