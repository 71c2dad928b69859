// Detects that the product is ready: all gateways have written their bound ports, and a call through a gateway reaches the control plane.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { portsFileName } from '@srs-stack/process/data-folder.ts';
import { parseServerAddresses } from '@srs-stack/process/listen-address.ts';
import { get } from '@srs-stack/process/node-http.ts';
import type { Environment } from './environment.ts';
import { listenHosts } from './listen-hosts.ts';

/** Polling interval, milliseconds. A start takes a few hundred milliseconds. */
const lookEveryMs = 40;
/** Timeout of a request, milliseconds. */
const probeTimeoutMs = 2_000;

/** Path of a gateway's ports file. @param gateway index on the node, from 0. */
export function portsFilePath(dataDir: string, gateway = 0): string {
  return join(dataDir, 'run', portsFileName(gateway));
}

/** Reads the ports file; undefined for a missing or incomplete file. */
export async function readBoundPorts(dataDir: string, gateway: number): Promise<BoundPorts | undefined> {
  try {
    return JSON.parse(await readFile(portsFilePath(dataDir, gateway), 'utf8')) as BoundPorts;
  } catch {
    return undefined;
  }
}

/**
 * Waits until all gateways have written their ports files and the first call has succeeded. Resolves with the ports of the first gateway.
 * Rejects when `signal` aborts.
 */
export async function waitUntilReady(
  environment: Environment,
  gateways: number,
  signal: AbortSignal,
): Promise<BoundPorts> {
  const { DATA_DIR: dataDir = '', PLATFORM_LISTEN: platformListen = '' } = environment;
  const host = listenHosts(environment).http ?? '127.0.0.1';
  for (;;) {
    const bound = await Promise.all(Array.from({ length: gateways }, (_, index) => readBoundPorts(dataDir, index)));
    const ports = bound.every(Boolean) ? bound[0] : undefined;
    // Without its socket the control plane cannot respond, and the gateway would log every attempt.
    const mayAnswer = !platformListen.includes('/') || existsSync(platformListen);
    if (ports && mayAnswer && (await isResponding(`${host}:${ports.http}`, '/terraform/v1/host/versions', signal)))
      return ports;
    await delay(lookEveryMs, undefined, { signal });
  }
}

/** Returns `host:port` of each configured SRS if none responds; undefined if at least one responds. */
export async function findAbsentMediaServer(
  environment: Environment,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (environment.MEDIA_SERVER !== 'srs') return undefined;
  const addresses = parseServerAddresses('SRS_API_SERVER', environment.SRS_API_SERVER ?? '1985');
  const authorities = addresses.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`);
  const living = await Promise.all(authorities.map((authority) => isResponding(authority, '/api/v1/versions', signal)));
  return living.some(Boolean) ? undefined : authorities.join(', ');
}

/** Whether a GET succeeds in time. Never rejects. Uses `node:http`, because `fetch` would permanently cost the supervisor 5 MB. */
export async function isResponding(authority: string, path: string, signal: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = get(`http://${authority}${path}`, { signal: timeout, agent: false }, (response) => {
    const { statusCode = 0 } = response.resume();
    response.once('end', () => resolve(statusCode >= 200 && statusCode < 300)).once('error', () => resolve(false));
  });
  request.once('error', () => resolve(false));
  return promise;
}
