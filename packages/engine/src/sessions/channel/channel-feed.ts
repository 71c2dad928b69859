// Reads the files of a channel ahead of time, and returns their tags in sequence on one clock. Unreadable files are skipped and reported.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import { type InterruptedPart, nextPart, type Part, resumedPart, sameEntry, toleranceMs } from './next-part.ts';
import { type FileTag, PreparedFile } from './prepared-file.ts';

/** Time that is read ahead, milliseconds: longer than a busy disk takes to respond. */
const readAheadMs = 2_000;
/** Maximum lag of a feed, milliseconds. Above the maximum, the next part starts now, not at the end of the previous part. */
const maxBehindMs = 1_000;
/** Pause when the filler is unreadable, milliseconds. */
const pauseMs = 1_000;

export interface ChannelTag extends FileTag {
  /** Time on the channel's clock, milliseconds. */
  readonly atMs: number;
  readonly part: Part;
  /** Number of opened parts so far; a new order does not reset it. */
  readonly partNumber: number;
}

/** One instant on two clocks: the channel's clock and the wall clock. */
export interface Moment {
  readonly atMs: number;
  readonly wallMs: number;
}

interface OpenPart {
  readonly part: Part;
  readonly partNumber: number;
  readonly file: PreparedFile;
  /** Start of the file, start of the part and end of the part on the channel's clock, milliseconds. */
  readonly fileAtMs: number;
  readonly startMs: number;
  readonly endMs: number;
}

export class ChannelFeed {
  #order: ChannelOrder;
  readonly #onFailed: (part: Part, reason: string) => void;
  readonly #failed = new Set<string>();
  #queue: ChannelTag[] = [];
  #open: OpenPart | undefined;
  #last: ChannelEntry | undefined;
  /** Start of the next tags on the channel's clock, milliseconds. */
  #tailMs = 0;
  #sentMs = 0;
  #sent: ChannelTag | undefined;
  /** Set while a live stream interrupts a part. */
  #interrupted: InterruptedPart | undefined;
  #reading: Promise<unknown> | undefined;
  /** Number of cuts so far. A cut discards the read in progress. */
  #round = 0;
  #partCount = 0;
  #pausedUntilMs = 0;
  #isClosed = false;

  constructor(order: ChannelOrder, onFailed: (part: Part, reason: string) => void) {
    this.#order = order;
    this.#onFailed = onFailed;
  }

  /** Whether the order contains a playable file besides live streams. */
  get hasFiles(): boolean {
    return this.#order.entries.some(({ live, file }) => live === '' && !this.#failed.has(file));
  }

  /**
   * Applies a new order. If the new order has the current file at this time, the file continues. If not, the channel cuts to the new entry.
   */
  change(order: ChannelOrder, now: Moment): void {
    this.#order = order;
    this.#failed.clear();
    const open = this.#open;
    const tail = momentAt(now, this.#tailMs);
    const same = open
      ? sameEntry(order, open.part, tail.atMs - open.fileAtMs, tail.wallMs)
      : this.#last && order.entries.find((entry) => isSame(entry, this.#last!));
    if (!same) this.#cut(now.atMs);
    else if (open) this.#open = withEnd({ ...open, part: { ...open.part, entry: same, endMs: same.endMs } }, now);
    else this.#last = same;
  }

  take(untilMs: number): ChannelTag[] {
    const later = this.#queue.findIndex(({ atMs }) => atMs > untilMs);
    const due = this.#queue.splice(0, later < 0 ? this.#queue.length : later);
    return due;
  }

  noteSent(tag: ChannelTag): void {
    this.#sent = tag;
    this.#sentMs = tag.atMs;
  }

  /** Interrupts the current part. The next `fill` resumes the part at this position. */
  interrupt(now: Moment): void {
    const sent = this.#sent;
    // A part without any sent tag is not resumed; it starts later.
    this.skipTo(sent ? undefined : this.#last, now);
    if (sent) this.#interrupted = { part: sent.part, offsetMs: sent.timeMs, wallMs: now.wallMs };
  }

  /** Cuts to the entry that follows `after`; without `after`, to the entry that is due. */
  skipTo(after: ChannelEntry | undefined, now: Moment): void {
    this.#interrupted = undefined;
    this.#sent = undefined;
    this.#cut(now.atMs);
    this.#last = after;
  }

  /** Advances the clock after a time without `take`. */
  resume(now: Moment): void {
    this.#tailMs = Math.max(now.atMs, this.#sentMs + 1);
  }

  /** Reads ahead if less than the read-ahead is queued. Call often. */
  fill(now: Moment): void {
    const isEnough = this.#queue.length > 0 && this.#tailMs > now.atMs + readAheadMs;
    if (this.#reading || this.#isClosed || isEnough || now.atMs < this.#pausedUntilMs) return;
    this.#reading = this.#read(now)
      .catch((error: Error) => this.#open && this.#onFailed(this.#open.part, error.message))
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#round++;
    this.#queue = [];
    await this.#reading;
    await this.#closeFile();
  }

  async #read(now: Moment): Promise<void> {
    const round = this.#round;
    const open = this.#open ?? (await this.#openNext(now));
    if (!open || round !== this.#round) return;
    const tags = await open.file.read().catch((error: Error) => error);
    // A new order may have changed the end during the read.
    if (round !== this.#round || !this.#open) return;
    if (tags instanceof Error) return this.#fail(open.part, tags);
    if (!tags) return this.#endOfFile(this.#open);
    if (!this.#append(this.#open, tags)) await this.#finish(this.#open.endMs);
  }

  async #openNext(now: Moment): Promise<OpenPart | undefined> {
    const round = this.#round;
    if (now.atMs - this.#tailMs > maxBehindMs) this.#tailMs = now.atMs;
    const startMs = this.#tailMs;
    const start = momentAt(now, startMs);
    const part = this.#choosePart(start.wallMs);
    const file = await PreparedFile.open(part.file, part.offsetMs).catch((error: Error) => error);
    if (file instanceof Error) {
      if (round === this.#round) await this.#fail(part, file);
      return undefined;
    }
    if (round !== this.#round) {
      await file.close();
      return undefined;
    }
    this.#open = withEnd(
      { part, partNumber: ++this.#partCount, file, startMs, fileAtMs: startMs - file.fromMs, endMs: 0 },
      now,
    );
    return this.#open;
  }

  #choosePart(wallMs: number): Part {
    const interrupted = this.#interrupted;
    this.#interrupted = undefined;
    const resumed = interrupted && resumedPart(interrupted, this.#order, wallMs);
    return resumed ?? nextPart({ order: this.#order, failed: this.#failed, last: this.#last, wallMs });
  }

  /** Returns false at the end of the part. */
  #append({ part, partNumber, fileAtMs, startMs, endMs }: OpenPart, tags: readonly FileTag[]): boolean {
    for (const { type, body, timeMs } of tags) {
      const atMs = fileAtMs + timeMs;
      if (atMs >= endMs) return false;
      // Drops audio from before the first keyframe.
      if (atMs < startMs) continue;
      this.#queue.push({ type, body, timeMs, atMs, part, partNumber });
      this.#tailMs = Math.max(this.#tailMs, atMs);
    }
    return true;
  }

  async #endOfFile(open: OpenPart): Promise<void> {
    const endMs = open.fileAtMs + open.file.durationMs;
    if (!open.part.loops || endMs >= open.endMs) return this.#finish(Math.min(endMs, open.endMs));
    const round = this.#round;
    await open.file.close();
    const file = await PreparedFile.open(open.part.file, 0).catch((error: Error) => error);
    if (round !== this.#round || !this.#open) {
      if (!(file instanceof Error)) await file.close();
      return;
    }
    if (file instanceof Error) await this.#fail(open.part, file);
    else this.#open = { ...this.#open, file, fileAtMs: endMs, startMs: endMs };
  }

  async #finish(endMs: number): Promise<void> {
    this.#last = this.#open?.part.entry;
    this.#tailMs = endMs;
    await this.#closeFile();
  }

  async #fail(part: Part, { message }: Error): Promise<void> {
    this.#onFailed(part, message);
    this.#failed.add(part.file);
    this.#last = part.entry ?? this.#last;
    if (part.entry === undefined) {
      // The filler is unreadable, so all files are tried again after a pause.
      this.#failed.clear();
      this.#pausedUntilMs = this.#tailMs + pauseMs;
    }
    await this.#closeFile();
  }

  #cut(atMs: number): void {
    this.#round++;
    this.#queue = [];
    this.#last = undefined;
    this.#tailMs = Math.max(atMs, this.#sentMs + 1);
    const file = this.#open?.file;
    this.#open = undefined;
    // The file closes after the read in progress.
    file?.close().catch(() => undefined);
  }

  /** An error is ignored: nothing more is read from the file. */
  async #closeFile(): Promise<void> {
    const file = this.#open?.file;
    this.#open = undefined;
    await file?.close().catch(() => undefined);
  }
}

/** A file that is slightly longer than its planned time plays to its end. */
function withEnd(open: OpenPart, now: Moment): OpenPart {
  const { part, file, startMs, fileAtMs } = open;
  const plannedMs = now.atMs + part.endMs - now.wallMs;
  const fileEndMs = fileAtMs + file.durationMs;
  const isCut = part.loops || fileEndMs - plannedMs > toleranceMs;
  return { ...open, endMs: Math.max(startMs, isCut ? plannedMs : fileEndMs) };
}

function isSame(a: ChannelEntry, b: ChannelEntry): boolean {
  return a.id === b.id && a.file === b.file && Math.abs(a.startMs - b.startMs) <= toleranceMs;
}

function momentAt({ atMs, wallMs }: Moment, otherMs: number): Moment {
  return { atMs: otherMs, wallMs: wallMs + otherMs - atMs };
}
