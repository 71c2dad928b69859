// Selects the live stream of a channel: a takeover by the operator precedes a scheduled item. Times are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { LiveCandidate } from './live-cover.ts';

/** A takeover ends when its stream was down for this time, milliseconds. Encoders reconnect sooner. */
const rejoinMs = 30_000;
/** Maximum wait at the start of an item for its stream from another gateway, milliseconds. After this time, the next item plays. */
const arrivalMs = 3_000;

interface OpenItem {
  readonly entry: ChannelEntry;
  readonly openedMs: number;
  /** Whether the live stream was not published at its scheduled time, or has ended. Files play until it is published. */
  isLate: boolean;
}

type Takeovers = Pick<ChannelOrder, 'takeover' | 'liveItems'>;

export class LivePlan {
  #item: OpenItem | undefined;
  #takeover: { readonly id: string; readonly live: string; seenMs: number } | undefined;
  #over = '';

  get overTakeover(): string {
    return this.#over;
  }

  /** The scheduled item that shows this stream; undefined if a takeover shows it. */
  itemOf(live: string): ChannelEntry | undefined {
    if (this.#takeover?.live === live) return undefined;
    return this.#item?.entry.live === live ? this.#item.entry : undefined;
  }

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

  /** Call when the entry is due. */
  open(entry: ChannelEntry, wallMs: number): void {
    const { id, endMs } = this.#item?.entry ?? {};
    const isSame = id === entry.id && entry.startMs < endMs!;
    this.#item = isSame ? { ...this.#item!, entry } : { entry, openedMs: wallMs, isLate: false };
  }

  /** Whether to play the filler instead of the next file, because the stream of the item will soon be on air. */
  awaits(isComing: boolean, wallMs: number): boolean {
    const item = this.#item;
    return item !== undefined && !item.isLate && isComing && wallMs - item.openedMs < arrivalMs;
  }

  noteLate(): void {
    if (this.#item) this.#item.isLate = true;
  }

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
