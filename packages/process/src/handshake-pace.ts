// Limits the rate of TLS handshakes, the most expensive work that a client can cause with a few bytes. Data of waiting connections stays
// unread. The server must limit the number of waiting connections.
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { type TurnLimits, TurnQueue } from './turn-queue.ts';

/**
 * Limits the handshake rate of a server. Call this function before the server has connections. Existing listeners receive a connection when
 * its handshake starts; listeners that are added later receive it immediately.
 * @param keyOf key of the client: its address group, or `everybody`.
 */
export function paceHandshakes(server: TlsServer, keyOf: (socket: Socket) => string, limits: TurnLimits): void {
  const queue = new TurnQueue(limits);
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Before the handshake, the socket has no other error listener.
    socket.on('error', () => socket.destroy());
    queue.enter(keyOf(socket), () => {
      if (socket.destroyed) return false;
      for (const listener of begin) listener.call(server, socket);
      return true;
    });
  });
}
