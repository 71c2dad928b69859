// Bounds the rate of TLS handshakes, the most expensive work that a client can cause with a few bytes. Connections wait for their turn with
// their bytes unread; the number of waiting ones is bounded with the unused connections.
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { type TurnLimits, TurnQueue } from './turn-queue.ts';

/**
 * Call before the server has connections: other listeners then see a connection when its handshake starts.
 * @param keyOf key of the client: its address group, or `everybody`.
 */
export function paceHandshakes(server: TlsServer, keyOf: (socket: Socket) => string, limits: TurnLimits): void {
  const queue = new TurnQueue(limits);
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Until the handshake starts there is no other listener.
    socket.on('error', () => socket.destroy());
    queue.enter(keyOf(socket), () => {
      if (socket.destroyed) return false;
      for (const listener of begin) listener.call(server, socket);
      return true;
    });
  });
}
