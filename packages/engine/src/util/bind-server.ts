import type { Server } from 'node:net';
import type { ListenAddress } from '../engine-config.ts';

/** Resolves with the bound port. Rejects with the system error. */
export function bindServer(server: Server, address: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...address }, () => {
      server.off('error', reject);
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : address.port);
    });
  });
}
