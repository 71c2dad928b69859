// Watches `config/channels.json`, in which the control plane writes the schedules of channels. The file is read at the start, so that
// channels continue without the control plane.
import { join } from 'node:path';
import type { Engine } from '@srs-stack/engine';
import { type ChannelOrder, channelOrdersFile, parseChannelOrders } from '@srs-stack/process/channel-orders.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { shareOf } from './share-of.ts';

export type ChannelWatch = Pick<SettingsFileWatch<readonly ChannelOrder[]>, 'start' | 'close'>;

export interface ChannelWatchOptions {
  readonly dataDir: string;
  /** Number of gateways of the machine, and the index of this gateway, from 0. Each gateway plays a share of the channels. */
  readonly gateways: { readonly count: number; readonly index: number };
  readonly engine: () => Pick<Engine, 'configureChannels'>;
  readonly log: Logger;
}

export function watchChannels({ dataDir, gateways, engine, log }: ChannelWatchOptions): ChannelWatch {
  const isOwn = ({ app, stream }: ChannelOrder): boolean =>
    shareOf(`${app}/${stream}`, gateways.count) === gateways.index;
  const watch = new SettingsFileWatch<readonly ChannelOrder[]>({
    file: join(dataDir, 'config', channelOrdersFile),
    initial: [],
    parse: parseChannelOrders,
    onChange: (isRead) => isRead && engine().configureChannels(watch.current().filter(isOwn)),
    log,
  });
  return watch;
}
