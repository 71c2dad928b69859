// Binds the application to its address. A Unix socket left by a killed process is removed, one in use is not.
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { BootError, bootErrorOf } from './boot-error.ts';
import type { ListenAddress } from './listen-address.ts';

/** Only the owner's processes connect: the API believes what its peer says about the client. */
const ownerOnly = 0o600;

/** Resolves to what was bound, for the log. Throws BootError. */
export async function listen(app: FastifyInstance, address: ListenAddress): Promise<string> {
  try {
    if (address.kind === 'tcp') return await app.listen({ host: address.host, port: address.port });
    await mkdir(dirname(address.path), { recursive: true });
    await removeStaleSocket(address.path);
    await app.listen({ path: address.path });
    await chmod(address.path, ownerOnly);
    return address.path;
  } catch (error) {
    const place = address.kind === 'tcp' ? `${address.host}:${address.port}` : address.path;
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw inUse(place);
    throw bootErrorOf(`PLATFORM_LISTEN ${place} cannot be used`, error);
  }
}

async function removeStaleSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isSocket()) throw new BootError(`PLATFORM_LISTEN ${path} is a file that is no socket, move it away`);
  if (await isAnswered(path)) throw inUse(path);
  await rm(path, { force: true });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.on('connect', () => resolve(true)).on('error', () => resolve(false));
    probe.on('connect', () => probe.destroy());
  });
}

function inUse(place: string): BootError {
  return new BootError(`PLATFORM_LISTEN ${place} is in use by another process, stop it or choose another address`);
}
