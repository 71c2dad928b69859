// Which live streams a channel wants: the one that the operator puts on the air, then the item of the schedule whose time it is. Pure; times
// are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { LiveCandidate } from './live-cover.ts';

/** A takeover is over when its stream was away for so long, milliseconds: an encoder that reconnects is back within. */
const rejoinMs = 30_000;
/** A stream that is published elsewhere is awaited for so long at the begin of its item, milliseconds; else the next item plays. */
const arrivalMs = 3_000;

interface OpenItem {
  readonly entry: ChannelEntry;
  readonly openedMs: number;
  /** It was not there when its time began: the files play until it comes. */
  isLate: boolean;
}

type Takeovers = Pick<ChannelOrder, 'takeover' | 'liveItems'>;

export class LivePlan {
  #item: OpenItem | undefined;
  #takeover: { readonly id: string; readonly live: string; seenMs: number } | undefined;
  #over = '';

  /** Id of the newest takeover that is over; '' without one. */
  get overTakeover(): string {
    return this.#over;
  }

  /** The item whose time it is, if it shows that stream and no takeover does. */
  itemOf(live: string): ChannelEntry | undefined {
    if (this.#takeover?.live === live) return undefined;
    return this.#item?.entry.live === live ? this.#item.entry : undefined;
  }

  /** Files have played in the time of the item. */
  get isLate(): boolean {
    return this.#item?.isLate ?? false;
  }

  change({ takeover: ordered, liveItems }: Takeovers, now: number): void {
    if (ordered?.id !== this.#takeover?.id) {
      const isNew = ordered !== undefined && ordered.id !== this.#over;
      this.#takeover = isNew ? { ...ordered, seenMs: now } : undefined;
    }
    if (this.#item && !liveItems.includes(this.#item.entry.id)) this.#item = undefined;
  }

  /** The time of the entry has come. */
  open(entry: ChannelEntry, wallMs: number): void {
    const { id, endMs } = this.#item?.entry ?? {};
    const isSame = id === entry.id && entry.startMs < endMs!;
    this.#item = isSame ? { ...this.#item!, entry } : { entry, openedMs: wallMs, isLate: false };
  }

  /** Whether the files wait for the stream of the item that has just begun. */
  awaits(isComing: boolean, wallMs: number): boolean {
    const item = this.#item;
    return item !== undefined && !item.isLate && isComing && wallMs - item.openedMs < arrivalMs;
  }

  /** The files play on without it. */
  noteLate(): void {
    if (this.#item) this.#item.isLate = true;
  }

  /** `onAir`: what is shown now. */
  wanted(onAir: string | undefined, now: number, wallMs: number): LiveCandidate[] {
    const takeover = this.#takeover;
    if (takeover && takeover.live === onAir) takeover.seenMs = now;
    if (takeover && now - takeover.seenMs >= rejoinMs) {
      this.#over = takeover.id;
      this.#takeover = undefined;
    }
    if (this.#item && wallMs >= this.#item.entry.endMs) this.#item = undefined;
    const item = this.#item && { live: this.#item.entry.live, fromLast: !this.#item.isLate };
    return [...(this.#takeover ? [{ live: this.#takeover.live, fromLast: false }] : []), ...(item ? [item] : [])];
  }
}
