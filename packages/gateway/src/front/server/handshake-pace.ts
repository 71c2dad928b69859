// TLS handshakes of a server begin at a bounded pace: they are the dearest thing a stranger can ask for with a few bytes. A connection
// whose turn has not come waits with its bytes unread; how many wait is bounded with the unused connections.
import type { Socket } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { handshakeTurns } from '../limits/front-limits.ts';
import { type TurnLimits, TurnQueue } from '../limits/turn-queue.ts';

/**
 * Call when the server is new: what listens for its connections then begins the handshake.
 * @param keyOf what counts as one client (`addressKey`).
 */
export function paceHandshakes(
  server: TlsServer,
  keyOf: (socket: Socket) => string,
  limits: TurnLimits = handshakeTurns,
): void {
  const queue = new TurnQueue(limits);
  const begin = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    // Until the handshake begins nobody else listens.
    socket.on('error', () => socket.destroy());
    queue.enter(keyOf(socket), () => {
      if (socket.destroyed) return false;
      for (const listener of begin) listener.call(server, socket);
      return true;
    });
  });
}
