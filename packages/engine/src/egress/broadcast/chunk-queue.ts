// Numbered recent chunks of one stream. All viewers share the queue and have only a position in it, so a slow viewer needs no queue of its
// own.
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

/** Viewers without video start this far behind the live edge, milliseconds: enough for a player to start, with little delay. */
const audioStartMs = 1000;

export class ChunkQueue {
  /**
   * Number of the chunk with the newest keyframe; without video, of a chunk `audioStartMs` behind the live edge. Undefined without such a
   * chunk, or when the GOP exceeds the limits.
   */
  start: number | undefined;
  /** Whether the newest chunk is of a stream with video. If true and `start` is undefined, the GOP exceeds the limits. */
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

  /** Number of the next chunk. */
  get end(): number {
    return this.#first + this.#entries.length;
  }

  /**
   * Number of the first chunk for a new viewer. In a GOP beyond the limits, a viewer starts with the newest chunk: audio immediately, video
   * at the next keyframe.
   */
  get joinStart(): number | undefined {
    if (this.start !== undefined || !this.#hasVideo || this.#entries.length === 0) return this.start;
    return this.end - 1;
  }

  /** Decode time of the newest chunk so far, milliseconds, even if it was removed. */
  get newestDtsMs(): number {
    return this.#newestDtsMs;
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

  /** Chunk `number`; undefined when it is not in the queue. */
  at(number: number): SharedChunk | undefined {
    return this.#entries[number - this.#first]?.chunk;
  }

  /** Bytes from chunk `number` to the newest chunk. */
  bytesFrom(number: number): number {
    return this.#bytes - (this.#entries[Math.max(0, number - this.#first)]?.bytesBefore ?? this.#bytes);
  }

  /** Video frames from chunk `from` to chunk `to`, without `to`. */
  framesBetween(from: number, to: number): number {
    return this.#framesBefore(to) - this.#framesBefore(from);
  }

  /** Media time from chunk `number` to the newest chunk, milliseconds. */
  durationFrom(number: number): number {
    const entry = this.#entries[Math.max(0, number - this.#first)];
    return entry ? this.#newestDtsMs - entry.chunk.facts.dtsMs : 0;
  }

  /** Call when another publisher starts: new viewers then skip the chunks of the previous publisher. */
  forgetStart(): void {
    this.start = undefined;
    this.#hasVideo = false;
  }

  /** Removes chunks that no viewer needs. @param slowest lowest chunk number that a current viewer still needs. */
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
