// The broadcasts of all streams in one format: made with the first viewer of a stream, forgotten with the last.
import type { Stream, StreamHub, Subscription } from '../hub/stream-hub.ts';
import type { BroadcastFormat } from './broadcast-format.ts';
import { type BroadcastConfig, StreamBroadcast } from './stream-broadcast.ts';

export interface BroadcastsOptions {
  readonly hub: Pick<StreamHub, 'attach'>;
  readonly format: BroadcastFormat;
  readonly config: BroadcastConfig;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class Broadcasts {
  private readonly table = new Map<Stream, { broadcast: StreamBroadcast; subscription: Subscription }>();
  private readonly load = { viewers: 0 };
  private readonly options: BroadcastsOptions;

  constructor(options: BroadcastsOptions) {
    this.options = options;
  }

  /** The broadcast of that stream; it follows the stream from its last keyframe on. */
  of(stream: Stream): StreamBroadcast {
    const known = this.table.get(stream);
    if (known && !known.broadcast.isOver) return known.broadcast;
    const { hub, format, config, clock } = this.options;
    const broadcast = new StreamBroadcast({ stream, format, config, clock, load: this.load });
    const subscription = hub.attach(stream.key, broadcast, { fromGopCache: true });
    this.table.set(stream, { broadcast, subscription });
    return broadcast;
  }

  /** Call when a viewer has left: lets go of the stream when it was the last. */
  release(stream: Stream, broadcast: StreamBroadcast): void {
    const entry = this.table.get(stream);
    if (entry?.broadcast !== broadcast || broadcast.viewerCount > 0) return;
    this.table.delete(stream);
    broadcast.close();
    entry.subscription.detach();
  }
}
