// Selects the live streams of a channel: the one that the operator has put on the air, then the scheduled item. Pure; times are parameters.
import type { ChannelEntry, ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { LiveCandidate } from './live-cover.ts';

/** A takeover ends when its stream was down for this time, milliseconds: encoders reconnect sooner. */
const rejoinMs = 30_000;
/**
 * At the start of an item, the channel waits this long for a stream that is published on another gateway, milliseconds; then the next item
 * plays.
 */
const arrivalMs = 3_000;

interface OpenItem {
  readonly entry: ChannelEntry;
  readonly openedMs: number;
  /** Whether the live stream was not published at its scheduled time: files play until it is published. */
  isLate: boolean;
}

type Takeovers = Pick<ChannelOrder, 'takeover' | 'liveItems'>;

export class LivePlan {
  #item: OpenItem | undefined;
  #takeover: { readonly id: string; readonly live: string; seenMs: number } | undefined;
  #over = '';

  /** Id of the newest takeover that has ended; '' without one. */
  get overTakeover(): string {
    return this.#over;
  }

  /** The scheduled item, if it shows that stream and no takeover does. */
  itemOf(live: string): ChannelEntry | undefined {
    if (this.#takeover?.live === live) return undefined;
    return this.#item?.entry.live === live ? this.#item.entry : undefined;
  }

  /** Whether files have played during the scheduled time of the item. */
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

  /** Whether files wait for the stream of the item that has just started. */
  awaits(isComing: boolean, wallMs: number): boolean {
    const item = this.#item;
    return item !== undefined && !item.isLate && isComing && wallMs - item.openedMs < arrivalMs;
  }

  /** Records that the stream was not published in time, so that files continue. */
  noteLate(): void {
    if (this.#item) this.#item.isLate = true;
  }

  /** `onAir`: the current stream. */
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
