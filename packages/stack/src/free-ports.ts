// Checks that the ports for HTTP, HTTPS, RTMP, RTMPS, SRT and other nodes are free before several gateways start. Gateways share ports with
// SO_REUSEPORT. If another program, such as a second copy of this product, also uses SO_REUSEPORT, the kernel would give it half of the
// connections.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import {
  defaultClusterListen,
  type ListenAddress,
  parseOptionalListenAddress,
} from '@srs-stack/process/listen-address.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from './environment.ts';

/** Variables of the shared TCP ports without which a gateway does not start. RTSP is left out: its port is optional. */
const sharedTcp = ['MGMT_LISTEN', 'HTTPS_LISTEN', 'RTMP_LISTEN', 'RTMPS_LISTEN'];

/** @throws StartRefusal naming the variable of a port that is in use. */
export async function requireFreePorts(environment: Environment): Promise<void> {
  for (const variable of sharedTcp) await requireFree(variable, environment, bindTcp);
  await requireFree('SRT_LISTEN', environment, bindUdp);
  if (environment.CLUSTER_URL) {
    const listen = { CLUSTER_LISTEN: defaultClusterListen, ...environment };
    await requireFree('CLUSTER_LISTEN', listen, bindTcp);
  }
}

async function requireFree(
  variable: string,
  environment: Environment,
  bind: (address: ListenAddress) => Promise<void>,
): Promise<void> {
  const address = parseOptionalListenAddress(variable, environment[variable]?.trim() || '0');
  if (!address || address.port === 0) return;
  await bind(address).catch((error: unknown) => {
    throw listenRefusal(variable, address, error);
  });
}

function bindTcp(address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(address, () => server.close(() => resolve()));
  });
}

function bindUdp({ host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket({ type: host && !host.includes(':') ? 'udp4' : 'udp6' });
    socket.once('error', reject);
    socket.bind({ port, ...(host && { address: host }) }, () => socket.close(() => resolve()));
  });
}
