// Feeds one SRT connection. When the target is too slow, whole GOPs are dropped: after a loss nothing is sent until the next keyframe.
import type { SrtBroadcast, SrtViewer } from '../../egress/srt/srt-broadcast.ts';
import { stallMs } from './push-connection.ts';

/** The part of a connection that a feed uses. */
interface SrtLink {
  send(payload: Buffer): boolean;
  readonly waitingPackets: number;
  readonly flightPackets: number;
  readonly acknowledgedPackets: number;
  readonly droppedPackets: number;
  discardAll(): void;
}

export class SrtFeed implements SrtViewer {
  readonly #link: SrtLink;
  readonly #broadcast: Pick<SrtBroadcast, 'frames'>;
  readonly #onStreamEnd: () => void;
  readonly #firstFrame: number;
  #sentBytes = 0;
  #droppedFrames = 0;
  /** Number of the frame with which dropping began; undefined while everything is sent. */
  #droppingSince: number | undefined;
  #droppedPackets = 0;
  #acknowledged = 0;
  #lastTickMs: number;
  /** Time without an acknowledgement while data was offered, milliseconds. */
  #unansweredMs = 0;

  constructor(link: SrtLink, broadcast: Pick<SrtBroadcast, 'frames'>, now: number, onStreamEnd: () => void) {
    this.#link = link;
    this.#broadcast = broadcast;
    this.#firstFrame = broadcast.frames;
    this.#lastTickMs = now;
    this.#onStreamEnd = onStreamEnd;
  }

  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** TS payloads have no frame boundaries, so this counts the frames of the stream since the target accepted it, minus dropped ones. */
  get sentFrames(): number {
    return Math.max(0, this.#broadcast.frames - this.#firstFrame - this.droppedFrames);
  }

  get droppedFrames(): number {
    const since = this.#droppingSince;
    return this.#droppedFrames + (since === undefined ? 0 : this.#broadcast.frames - since);
  }

  send(payload: Buffer, isStart: boolean): void {
    // The connection drops packets that it could not deliver in time.
    if (this.#link.droppedPackets !== this.#droppedPackets) this.#drop();
    if (this.#droppingSince !== undefined) {
      if (!isStart) return;
      this.#resume(this.#droppingSince);
    }
    if (this.#link.send(payload)) this.#sentBytes += payload.length;
    else this.#drop();
  }

  onStreamEnd(): void {
    this.#onStreamEnd();
  }

  /** Whether the target has accepted nothing for `stallMs` although data was offered. Call a few times per second. */
  isStalled(now: number): boolean {
    const { acknowledgedPackets, waitingPackets, flightPackets } = this.#link;
    if (acknowledgedPackets !== this.#acknowledged) this.#unansweredMs = 0;
    else if (waitingPackets + flightPackets > 0) this.#unansweredMs += now - this.#lastTickMs;
    this.#acknowledged = acknowledgedPackets;
    this.#lastTickMs = now;
    return this.#unansweredMs >= stallMs;
  }

  /** The frame being sent is damaged, and so are the following ones. */
  #drop(): void {
    this.#droppingSince ??= this.#broadcast.frames - 1;
    this.#link.discardAll();
    this.#droppedPackets = this.#link.droppedPackets;
  }

  /** The broadcast has already counted the keyframe with which sending resumes. */
  #resume(since: number): void {
    this.#droppedFrames += Math.max(0, this.#broadcast.frames - 1 - since);
    this.#droppingSince = undefined;
  }
}
