// All channels that the host has ordered. A bug in a channel restarts only that channel.

import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ChannelOrder } from '@srs-stack/process/channel-orders.ts';
import type { ReportFault } from '../../faults.ts';
import { outsideSessions } from '../../session-scope.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import { Channel, type ChannelDeps } from './channel.ts';
import type { ChannelSnapshot } from './channel-status.ts';

/** Interval for sending due tags, milliseconds: about the duration of a frame. */
const tickMs = 40;

export interface ChannelsOptions extends Omit<ChannelDeps, 'mayShow'> {
  readonly onFault: ReportFault;
}

export class Channels {
  readonly #options: ChannelsOptions;
  readonly #channels = new Map<string, Channel>();
  readonly #ticker = new RestingTicker({ everyMs: tickMs, tick: () => this.#tick() });
  #isClosed = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** Replaces the orders. A channel that is still ordered for the same stream continues; others end or start. */
  configure(orders: readonly ChannelOrder[]): void {
    if (this.#isClosed) return;
    const wanted = new Set(orders.map(({ id }) => id));
    for (const id of [...this.#channels.keys()]) if (!wanted.has(id)) this.#remove(id);
    for (const order of orders) {
      const known = this.#channels.get(order.id);
      if (known?.change(order)) continue;
      this.#remove(order.id);
      const mayShow = (live: string): boolean => live !== toStreamUrl(order) && !this.#isCovered(live);
      this.#channels.set(order.id, new Channel(order, { ...this.#options, mayShow }));
    }
    this.#ticker.wake();
  }

  snapshots(): ChannelSnapshot[] {
    return [...this.#channels.values()].map((channel) => channel.snapshot());
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#ticker.close();
    for (const channel of this.#channels.values()) channel.close('shutdown');
    this.#channels.clear();
  }

  /**
   * Whether the channel that publishes this stream shows a live stream. As the source of another channel, such a channel could cause a
   * loop.
   */
  #isCovered(streamUrl: string): boolean {
    for (const channel of this.#channels.values()) if (channel.streamUrl === streamUrl) return channel.isCovered;
    return false;
  }

  #remove(id: string): void {
    this.#channels.get(id)?.close();
    this.#channels.delete(id);
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (const [id, channel] of this.#channels) {
      try {
        outsideSessions(() => channel.tick(now));
      } catch (error) {
        this.#options.onFault(error, { channel: id }, 'channel failed and restarts');
        channel.fail();
      }
    }
    return this.#channels.size > 0;
  }
}
