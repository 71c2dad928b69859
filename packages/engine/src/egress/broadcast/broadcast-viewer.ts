// One viewer of a broadcast: the socket, the position in the chunk queue, and the policy for slow viewers.
import type { Duplex } from 'node:stream';
import type { PlayerHandle } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { ChunkQueue } from './chunk-queue.ts';
import type { SharedChunk } from './shared-chunk.ts';

export interface ViewerQueueLimits {
  readonly maxBytes: number;
  readonly maxDurationMs: number;
}

/** Chunks are passed to a socket until this number of bytes is reached. Bytes in the socket can no longer be dropped. */
const burstBytes = 256 * 1024;
/** A viewer whose socket sends less than one burst in this time is disconnected, milliseconds. */
const hopelessAfterMs = 30_000;
/** Time limit for sending the remaining data before the server closes a viewer's connection, milliseconds. */
const lingerMs = 2000;

/** WebSocket close, code 1001 "going away" (RFC 6455 §5.5.1, §7.4.1). */
const closeFrame = Buffer.from([0x88, 2, 0x03, 0xe9]);

/** Session and byte counter of a player. */
export type WatchedPlayer = Pick<PlayerHandle, 'session' | 'countSent'>;

export interface BroadcastViewerOptions {
  readonly socket: Duplex;
  /** True for WebSocket frames, false for plain bytes. */
  readonly isFramed: boolean;
  readonly player: WatchedPlayer;
  readonly now: number;
  /** Called when the stream ends. Default: closes the connection. */
  readonly onStreamEnd?: (reason: StreamEndReason) => void;
}

export class BroadcastViewer {
  droppedFrames = 0;
  sentFrames = 0;
  /** Decode time of the newest written chunk, milliseconds; undefined before the first chunk. */
  sentDtsMs: number | undefined;
  /** Next chunk to write; meaningless before `begin`. */
  position = 0;
  readonly onStreamEnd: (reason: StreamEndReason) => void;
  readonly isFramed: boolean;
  readonly socket: Duplex;
  #awaitsStart = false;
  /** Decode time of the oldest chunk that may still be in the socket's internal queue, milliseconds. */
  #heldDtsMs = 0;
  /** Number of the first chunk after the join. Earlier chunks do not count as lag. */
  #joinedAt = 0;
  #lastProgressMs: number;
  readonly #player: WatchedPlayer;

  constructor({ socket, isFramed, player, now, onStreamEnd }: BroadcastViewerOptions) {
    this.onStreamEnd = onStreamEnd ?? (() => this.end());
    this.socket = socket;
    this.isFramed = isFramed;
    this.#player = player;
    this.#lastProgressMs = now;
  }

  get logFields(): object {
    const { clientId, ip } = this.#player.session;
    return { clientId, ip };
  }

  /** Bytes in the socket's internal queue, without the shared queue. */
  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  /** Media time of all chunks that are not completely sent yet, milliseconds. */
  delayMs(queue: ChunkQueue): number {
    const isBehind = this.unsentBytes > 0;
    if (this.sentDtsMs === undefined || (!isBehind && this.position === queue.end)) return 0;
    return Math.max(0, queue.newestDtsMs - (isBehind ? this.#heldDtsMs : this.sentDtsMs));
  }

  /** Sends the header (`lead`), and as many chunks from `from` on as the socket accepts. */
  begin(lead: SharedChunk, from: number, queue: ChunkQueue): void {
    this.position = from;
    this.#joinedAt = queue.end;
    this.socket.cork();
    this.#write(lead);
    this.#writeBurst(queue);
    // Uncorks the response headers and the first chunks together, so that one write sends both.
    for (let corks = this.socket.writableCorked; corks > 0; corks--) this.socket.uncork();
    this.#writeWhatFits(queue);
  }

  /** Writes new chunks, or applies the slow-viewer policy. Returns true when the viewer is up to date or waits for a keyframe. */
  pump(queue: ChunkQueue, limits: ViewerQueueLimits, now: number): boolean {
    if (this.#awaitsStart && !this.#resume(queue)) return true;
    if (this.position === queue.end) return true;
    if (this.socket.writableLength > 0) {
      this.#limitLag(queue, limits, now);
      return false;
    }
    this.#lastProgressMs = now;
    const only = this.position === queue.end - 1 ? queue.at(this.position) : undefined;
    if (only) {
      this.position++;
      this.#write(only);
    } else this.#writeWhatFits(queue);
    return this.position === queue.end;
  }

  end(): void {
    if (this.socket.destroyed) return;
    if (this.isFramed) this.socket.write(closeFrame);
    const timer = setTimeout(() => this.socket.destroy(), lingerMs);
    this.socket.end(() => {
      clearTimeout(timer);
      this.socket.destroy();
    });
  }

  #writeWhatFits(queue: ChunkQueue): void {
    while (this.position < queue.end && this.socket.writableLength === 0 && !this.socket.destroyed) {
      this.socket.cork();
      this.#writeBurst(queue);
      this.socket.uncork();
    }
  }

  #writeBurst(queue: ChunkQueue): void {
    let left = burstBytes;
    while (this.position < queue.end && left > 0) {
      const chunk = queue.at(this.position++);
      if (!chunk) continue;
      left -= chunk.plain.length;
      this.#write(chunk);
    }
  }

  #write(chunk: SharedChunk): void {
    const bytes = this.isFramed ? chunk.framed : chunk.plain;
    if (this.socket.writableLength === 0) this.#heldDtsMs = chunk.facts.dtsMs;
    this.socket.write(bytes);
    this.sentFrames += chunk.facts.frames;
    this.sentDtsMs = chunk.facts.dtsMs;
    this.#player.countSent(bytes.length);
  }

  #limitLag(queue: ChunkQueue, limits: ViewerQueueLimits, now: number): void {
    if (now - this.#lastProgressMs > hopelessAfterMs) {
      this.socket.destroy();
      return;
    }
    if (this.position < this.#joinedAt) return;
    const isTooFarBehind =
      queue.bytesFrom(this.position) > limits.maxBytes || queue.durationFrom(this.position) > limits.maxDurationMs;
    if (isTooFarBehind) this.#skip(queue);
  }

  /** Continues at the newest keyframe. If the viewer has already passed the keyframe, waits for the next keyframe. */
  #skip(queue: ChunkQueue): void {
    const target = queue.start !== undefined && queue.start > this.position ? queue.start : queue.end;
    this.#awaitsStart = target === queue.end;
    this.droppedFrames += queue.framesBetween(this.position, target);
    this.position = target;
  }

  #resume(queue: ChunkQueue): boolean {
    const target = queue.start !== undefined && queue.start >= this.position ? queue.start : queue.end;
    this.droppedFrames += queue.framesBetween(this.position, target);
    this.position = target;
    this.#awaitsStart = target === queue.end;
    return !this.#awaitsStart;
  }
}
