// The address at which other nodes reach this node.
import { networkInterfaces } from 'node:os';
import { parseListenAddress, parseOptionalListenAddress } from '@srs-stack/process/listen-address.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

export interface NodeAddress {
  readonly host: string;
  readonly port: number;
}

const everyInterface = ['0.0.0.0', '::'];

/**
 * Returns `CLUSTER_ADVERTISE`, else the address in `CLUSTER_LISTEN`, else the first non-loopback address of this machine. Undefined for
 * `off`.
 * @throws StartRefusal with the name of the variable.
 */
export function readNodeAddress(listen: string, advertise: string): NodeAddress | undefined {
  const bound = parseOptionalListenAddress('CLUSTER_LISTEN', listen);
  if (!bound) return undefined;
  if (bound.port === 0)
    throw new StartRefusal('Cannot start: CLUSTER_LISTEN must have a fixed port, because other nodes use it.');
  const own = {
    host: bound.host && !everyInterface.includes(bound.host) ? bound.host : firstAddress(),
    port: bound.port,
  };
  if (advertise === '') return own;
  // Without a port in the setting, the listener's port is used.
  if (!/:\d+$|^\d+$/.test(advertise)) return { ...own, host: advertise.replace(/^\[|\]$/g, '') };
  return { ...own, ...parseListenAddress('CLUSTER_ADVERTISE', advertise) };
}

function firstAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (found.find(({ family }) => family === 'IPv4') ?? found[0])?.address ?? '127.0.0.1';
}
