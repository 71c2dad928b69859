// Ports of this product on this machine. A backend at one of these ports would loop, or expose an internal interface.
import { networkInterfaces } from 'node:os';
import { isLoopback } from '@srs-stack/process/ip-address.ts';

type Ports = Readonly<Record<string, number | null | undefined>>;

/** @param inner ports that the ports file does not list. */
export function createOwnPorts(
  boundPorts: () => Promise<Ports | undefined>,
  inner: readonly number[],
): () => Promise<(host: string, port: number) => boolean> {
  return async () => {
    const ports = new Set([...Object.values((await boundPorts()) ?? {}), ...inner]);
    return (host, port) => ports.has(port) && isOwnHost(host);
  };
}

function isOwnHost(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopback(host)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}
