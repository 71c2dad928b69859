// Sends packets to one SRT connection. For a slow target, drops packets up to the next keyframe.
import type { SrtBroadcast, SrtViewer } from '../../egress/srt/srt-broadcast.ts';
import { stallMs } from './push-connection.ts';

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
  /** Number of the first dropped frame; undefined while everything is sent. */
  #droppingSince: number | undefined;
  #droppedPackets = 0;
  #acknowledged = 0;
  #lastTickMs: number;
  /** Time without an acknowledgement while data was waiting, milliseconds. */
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

  /**
   * Estimated, because TS payloads have no frame boundaries: frames of the stream since the target accepted the stream, minus dropped
   * frames.
   */
  get sentFrames(): number {
    return Math.max(0, this.#broadcast.frames - this.#firstFrame - this.droppedFrames);
  }

  get droppedFrames(): number {
    const since = this.#droppingSince;
    return this.#droppedFrames + (since === undefined ? 0 : this.#broadcast.frames - since);
  }

  send(payload: Buffer, isStart: boolean): void {
    // The connection itself drops packets that are too late.
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

  /** True when the target has acknowledged nothing for `stallMs` although data was waiting. Call a few times per second. */
  isStalled(now: number): boolean {
    const { acknowledgedPackets, waitingPackets, flightPackets } = this.#link;
    if (acknowledgedPackets !== this.#acknowledged) this.#unansweredMs = 0;
    else if (waitingPackets + flightPackets > 0) this.#unansweredMs += now - this.#lastTickMs;
    this.#acknowledged = acknowledgedPackets;
    this.#lastTickMs = now;
    return this.#unansweredMs >= stallMs;
  }

  /** Drops frames until the next keyframe, because the frame being sent is damaged. */
  #drop(): void {
    this.#droppingSince ??= this.#broadcast.frames - 1;
    this.#link.discardAll();
    this.#droppedPackets = this.#link.droppedPackets;
  }

  /** Subtracts 1, because the broadcast has already counted the keyframe with which sending resumes. */
  #resume(since: number): void {
    this.#droppedFrames += Math.max(0, this.#broadcast.frames - 1 - since);
    this.#droppingSince = undefined;
  }
}
