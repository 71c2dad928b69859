import type { StreamHub } from '../../hub/stream-hub.ts';
import { SharedOutputs } from '../shared-outputs.ts';
import type { BroadcastFormat } from './broadcast-format.ts';
import { type BroadcastConfig, StreamBroadcast } from './stream-broadcast.ts';

export type Broadcasts = SharedOutputs<StreamBroadcast>;

export interface BroadcastsOptions {
  readonly hub: Pick<StreamHub, 'attach'>;
  readonly format: BroadcastFormat;
  readonly config: BroadcastConfig;
  /** Whether a broadcast stays for a while after the last viewer has left. Default: true. */
  readonly lingers?: boolean;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export function createBroadcasts({ hub, lingers = true, ...options }: BroadcastsOptions): Broadcasts {
  const { format, config, clock } = options;
  const load = { viewers: 0 };
  return new SharedOutputs(hub, (stream) => new StreamBroadcast({ stream, format, config, clock, load, lingers }));
}
