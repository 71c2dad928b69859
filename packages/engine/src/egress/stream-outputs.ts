// Outputs that all viewers of one stream share: made with the first viewer, forgotten with the last.

import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { StreamHub, Subscription } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export type StreamOutput = StreamReader & { readonly viewerCount: number };

export class StreamOutputs<Output extends StreamOutput> {
  private readonly hub: Pick<StreamHub, 'attach'>;
  private readonly create: () => Output;
  private readonly table = new Map<string, { output: Output; subscription: Subscription }>();

  constructor(hub: Pick<StreamHub, 'attach'>, create: () => Output) {
    this.hub = hub;
    this.create = create;
  }

  /** The output of that stream; it follows the stream from its last keyframe on. */
  of(key: StreamKey): Output {
    const url = toStreamUrl(key);
    const known = this.table.get(url);
    if (known) return known.output;
    const output = this.create();
    const subscription = this.hub.attach(key, output, { fromGopCache: true });
    this.table.set(url, { output, subscription });
    return output;
  }

  /** Call when a viewer has left: lets go of the stream when it was the last. */
  release(key: StreamKey, output: Output): void {
    const url = toStreamUrl(key);
    const entry = this.table.get(url);
    if (entry?.output !== output || output.viewerCount > 0) return;
    this.table.delete(url);
    entry.subscription.detach();
  }
}
