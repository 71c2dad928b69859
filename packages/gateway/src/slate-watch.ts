// Watches `config/slates.json`, in which the control plane writes the streams that show a slate when their source disconnects. The file is
// read at the start, so that slates need no control plane.
import { join } from 'node:path';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { parseSlateOrders, type SlateOrder, slateOrdersFile } from '@srs-stack/process/slate-orders.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';
import { shareOf } from './share-of.ts';

export type SlateWatch = Pick<SettingsFileWatch<readonly SlateOrder[]>, 'start' | 'close'>;

export interface SlateWatchOptions {
  readonly dataDir: string;
  /**
   * Number of gateways of the machine, and the index of this gateway, from 0. A stream that starts with its slate is started by one gateway
   * only.
   */
  readonly gateways: { readonly count: number; readonly index: number };
  readonly engine: () => Pick<Engine, 'configureSlates'>;
  readonly log: Logger;
}

export function watchSlates({ dataDir, gateways, engine, log }: SlateWatchOptions): SlateWatch {
  const isOwn = ({ app, stream }: SlateOrder): boolean =>
    shareOf(`${app}/${stream}`, gateways.count) === gateways.index;
  const toOwn = ({ start, ...order }: SlateOrder): SlateOrder => (start && isOwn(order) ? { ...order, start } : order);
  const apply = (): void => {
    const applied = engine().configureSlates(watch.current().map(toOwn));
    applied.catch((error: unknown) => log.error({ err: error }, 'slate settings could not be applied'));
  };
  const watch = new SettingsFileWatch<readonly SlateOrder[]>({
    file: join(dataDir, 'config', slateOrdersFile),
    initial: [],
    parse: parseSlateOrders,
    onChange: (isRead) => isRead && apply(),
    log,
  });
  return watch;
}
