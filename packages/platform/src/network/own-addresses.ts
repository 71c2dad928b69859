// Tells whether a target's address leads back to this server, so that a worker never takes its own output as source.
import { networkInterfaces } from 'node:os';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import { checkAddress, pushSchemes } from './address-rule.ts';

const defaultRtmpPort = 1935;

export interface OwnAddresses {
  /** `app/stream` when the address leads to this server, else ''. */
  streamOf(address: string): Promise<string>;
}

export function createOwnAddresses(boundPorts: () => Promise<{ rtmp: number | null } | undefined>): OwnAddresses {
  return {
    async streamOf(address) {
      const parts = safely(() => checkAddress(address, pushSchemes));
      if (parts?.scheme !== 'rtmp' || !isOwnHost(parts.host)) return '';
      const port = (await boundPorts())?.rtmp ?? defaultRtmpPort;
      return Number(parts.port || defaultRtmpPort) === port ? streamPath(address) : '';
    },
  };
}

/** `rtmp://host/app/stream?query` → `app/stream`, whatever the host. */
export function streamPath(address: string): string {
  const path = address.replace(/^[a-z]+:\/\/[^/]*\/?/i, '').split('?', 1)[0] ?? '';
  return path.split('/').filter(Boolean).join('/');
}

function isOwnHost(host: string): boolean {
  if (isLoopback(host)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === host));
}

function safely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
