// Binds the application to its address. Removes an unused Unix socket, which a killed process may have left.
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { PlatformAddress } from '@srs-stack/process/listen-address.ts';
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';
import type { FastifyInstance } from 'fastify';

/** Only processes of the same user may connect, because the API trusts the forwarded headers of every request. */
const ownerOnly = 0o600;

/** Resolves with the bound address. Throws StartRefusal. */
export async function listen(app: FastifyInstance, address: PlatformAddress): Promise<string> {
  try {
    if ('port' in address) return await app.listen({ host: address.host, port: address.port });
    await mkdir(dirname(address.socketPath), { recursive: true });
    await removeStaleSocket(address.socketPath);
    await app.listen({ path: address.socketPath });
    await chmod(address.socketPath, ownerOnly);
    return address.socketPath;
  } catch (error) {
    const place = 'port' in address ? `${address.host}:${address.port}` : address.socketPath;
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw inUse(place);
    throw startRefusalOf(`PLATFORM_LISTEN ${place} cannot be used`, error);
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw new StartRefusal(`PLATFORM_LISTEN ${path} is a file but not a socket, remove it`);
  if (await isInUse(path)) throw inUse(path);
  await rm(path, { force: true });
}

function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.on('connect', () => resolve(true)).on('error', () => resolve(false));
    probe.on('connect', () => probe.destroy());
  });
}

function inUse(place: string): StartRefusal {
  return new StartRefusal(`PLATFORM_LISTEN ${place} is in use by another process, stop it or choose another address`);
}
