// Watches `config/pushes.json`, in which the control plane writes the streams to send to other servers. The file is read at the start, so
// that pushes resume without the control plane.
import { BlockList, isIPv4 } from 'node:net';
import { join } from 'node:path';
import { forbiddenNetworks, unmappedAddress } from '@srs-stack/contract/forbidden-networks.ts';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type PushOrder, parsePushOrders, pushOrdersFile } from '@srs-stack/process/push-orders.ts';
import { SettingsFileWatch } from './settings-file-watch.ts';

export type PushWatch = Pick<SettingsFileWatch<readonly PushOrder[]>, 'start' | 'close'>;

export interface PushWatchOptions {
  readonly dataDir: string;
  readonly engine: () => Pick<Engine, 'configurePushes'>;
  readonly log: Logger;
}

export function watchPushes({ dataDir, engine, log }: PushWatchOptions): PushWatch {
  const watch = new SettingsFileWatch<readonly PushOrder[]>({
    file: join(dataDir, 'config', pushOrdersFile),
    initial: [],
    parse: parsePushOrders,
    onChange: (isRead) => isRead && engine().configurePushes(watch.current()),
    log,
  });
  return watch;
}

const forbidden = new BlockList();
for (const [network, prefix, family] of forbiddenNetworks) forbidden.addSubnet(network, prefix, family);

/** Returns false for numeric addresses that are always forbidden (docs/decisions/worker-addresses.md). */
export function mayContact(address: string): boolean {
  const plain = unmappedAddress(address);
  return !forbidden.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
