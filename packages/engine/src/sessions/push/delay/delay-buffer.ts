// Holds the packets and changes of a delayed stream until they are due. Pure; time is a parameter. A full buffer drops packets up to the
// next keyframe and keeps the delay: a stream with a required delay must never be on the air too early.
import type { Packet } from '@srs-stack/media/packet.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { SessionInfo } from '../../../session-info.ts';

export type DelayedEvent =
  | { readonly kind: 'begin'; readonly session: SessionInfo }
  | { readonly kind: 'metadata'; readonly metadata: StreamMetadata }
  | { readonly kind: 'packet'; readonly packet: Packet }
  | { readonly kind: 'end' };

/** Maximum size of one delayed stream, bytes: 60 s at 17 Mbit/s. */
const maxStreamBytes = 128 * 1024 * 1024;
/** Maximum size of all delayed streams of a gateway, bytes. */
const maxTotalBytes = 256 * 1024 * 1024;
/** Bytes counted for each event in addition to its payload. */
const eventBytes = 256;

/** Memory used by all delayed streams of a gateway. */
export class DelayMemory {
  usedBytes = 0;
}

interface Held {
  readonly event: DelayedEvent;
  readonly dueMs: number;
  readonly bytes: number;
}

export class DelayBuffer {
  droppedFrames = 0;
  readonly #delayMs: number;
  readonly #memory: DelayMemory;
  #held: Held[] = [];
  /** Index of the first held event in `#held`. Shifting the array for each event would be slow. */
  #first = 0;
  #bytes = 0;
  #hasVideo = false;
  #isDropping = false;

  constructor(delayMs: number, memory: DelayMemory) {
    this.#delayMs = delayMs;
    this.#memory = memory;
  }

  get isEmpty(): boolean {
    return this.#first === this.#held.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Time until the first event is due, milliseconds. Undefined when nothing is held. */
  dueInMs(now: number): number | undefined {
    const first = this.#held[this.#first];
    return first && Math.max(0, first.dueMs - now);
  }

  add(event: DelayedEvent, now: number): void {
    const bytes = bytesOf(event);
    if (event.kind === 'begin') this.#hasVideo = false;
    if (event.kind === 'packet' && this.#isLeftOut(event.packet, bytes)) return;
    if (event.kind === 'metadata' && !this.#hasRoom(bytes)) return;
    this.#held.push({ event, dueMs: now + this.#delayMs, bytes });
    this.#count(bytes);
  }

  /** Removes and returns the next event if it is due. */
  take(now: number): DelayedEvent | undefined {
    const next = this.#held[this.#first];
    if (!next || next.dueMs > now) return undefined;
    this.#count(-next.bytes);
    this.#first++;
    if (this.#first * 2 > this.#held.length) {
      this.#held = this.#held.slice(this.#first);
      this.#first = 0;
    }
    return next.event;
  }

  clear(): void {
    this.#held = [];
    this.#first = 0;
    this.#count(-this.#bytes);
    this.#isDropping = false;
  }

  #isLeftOut({ track, keyframe }: Packet, bytes: number): boolean {
    const isVideo = track.kind === 'video';
    if (isVideo) this.#hasVideo = true;
    const mayResume = isVideo ? keyframe : !this.#hasVideo;
    if (this.#isDropping && mayResume) this.#isDropping = false;
    if (!this.#hasRoom(bytes)) this.#isDropping = true;
    if (this.#isDropping && isVideo) this.droppedFrames++;
    return this.#isDropping;
  }

  #hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= maxStreamBytes && this.#memory.usedBytes + bytes <= maxTotalBytes;
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#memory.usedBytes += bytes;
  }
}

function bytesOf(event: DelayedEvent): number {
  if (event.kind === 'packet') return eventBytes + event.packet.payload.length;
  if (event.kind === 'metadata') return eventBytes + JSON.stringify(event.metadata).length;
  return eventBytes;
}
