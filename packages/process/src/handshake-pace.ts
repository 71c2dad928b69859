// Limits the rate of TLS handshakes, the most expensive work that a client can cause with a few bytes. Bytes of waiting connections stay
// unread. The number of waiting and unused connections together is limited.
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { type TurnLimits, TurnQueue } from './turn-queue.ts';

/**
 * Limits the rate of the handshakes of a server. Call it before the server has connections. Other listeners then see a connection when
 * its handshake starts.
 * @param keyOf key of the client: its address group, or `everybody`.
 */
export function paceHandshakes(server: TlsServer, keyOf: (socket: Socket) => string, limits: TurnLimits): void {
  const queue = new TurnQueue(limits);
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // No other error listener exists until the handshake starts.
    socket.on('error', () => socket.destroy());
    queue.enter(keyOf(socket), () => {
      if (socket.destroyed) return false;
      for (const listener of begin) listener.call(server, socket);
      return true;
    });
  });
}
