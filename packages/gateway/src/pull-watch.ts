// Watches `config/pulls.json`, in which the control plane writes the streams to pull from other servers. The file is read at the start, so
// that pulls resume without the control plane.
import { join } from 'node:path';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type PullOrder, parsePullOrders, pullOrdersFile } from '@srs-stack/process/pull-orders.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { shareOf } from './share-of.ts';

export type PullWatch = Pick<SettingsFileWatch<readonly PullOrder[]>, 'start' | 'close'>;

export interface PullWatchOptions {
  readonly dataDir: string;
  /**
   * Number of gateways of the machine, and the index of this gateway, from 0. A gateway pulls a share of the streams, and every on-demand
   * stream that its viewers request.
   */
  readonly gateways: { readonly count: number; readonly index: number };
  readonly engine: () => Pick<Engine, 'configurePulls'>;
  readonly log: Logger;
}

export function watchPulls({ dataDir, gateways, engine, log }: PullWatchOptions): PullWatch {
  const isOwn = ({ app, stream }: PullOrder): boolean => shareOf(`${app}/${stream}`, gateways.count) === gateways.index;
  const watch = new SettingsFileWatch<readonly PullOrder[]>({
    file: join(dataDir, 'config', pullOrdersFile),
    initial: [],
    parse: parsePullOrders,
    onChange: (isRead) =>
      isRead && engine().configurePulls(watch.current().filter((order) => order.onDemand || isOwn(order))),
    log,
  });
  return watch;
}
