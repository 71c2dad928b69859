// Connections of a public server without an open request, with a total limit and one per address; the oldest is closed for a newer one.
// Connections with an open request are kept, however long it takes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { UnusedTable } from '@srs-stack/engine';
import { maxUnusedConnections, maxUnusedConnectionsPerAddress } from '../limits/front-limits.ts';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Number of requests without a complete response; more than one if a client pipelines. */
  underWay: number;
}

export interface UnusedConnectionLimits {
  readonly maxEntries: number;
  readonly maxPerAddress: number;
}

const usualLimits = { maxEntries: maxUnusedConnections, maxPerAddress: maxUnusedConnectionsPerAddress };

/** Must be called before the server has other request listeners. */
export function boundUnusedConnections(server: Server | TlsServer, limits: UnusedConnectionLimits = usualLimits): void {
  const unused = new UnusedTable<Connection>({ ...limits, onEvict: ({ socket }) => socket.destroy() });
  /** Connections by peer address, because a request of an HTTPS server has a TLS socket instead of the TCP socket. */
  const connections = new Map<string, Connection>();
  /** The same connections by the socket of their first request: this lookup is faster than building a string per request. */
  const connectionOfSocket = new WeakMap<Socket, Connection>();

  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    const connection: Connection = { socket, address: socket.remoteAddress ?? '', underWay: 0 };
    connections.set(peer, connection);
    unused.add(connection, connection.address);
    socket.once('close', () => {
      unused.remove(connection);
      if (connections.get(peer) === connection) connections.delete(peer);
    });
  });

  const connectionOf = (socket: Socket): Connection | undefined => {
    const known = connectionOfSocket.get(socket);
    if (known) return known;
    const connection = connections.get(peerOf(socket));
    if (connection) connectionOfSocket.set(socket, connection);
    return connection;
  };

  const use = ({ socket }: IncomingMessage): Connection | undefined => {
    const connection = connectionOf(socket);
    if (!connection) return undefined;
    connection.underWay += 1;
    unused.remove(connection);
    return connection;
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = use(request);
    if (!connection) return;
    response.once('close', () => {
      connection.underWay -= 1;
      if (connection.socket.destroyed) return;
      if (connection.underWay === 0) unused.add(connection, connection.address);
    });
  });
  server.on('upgrade', use);
}

function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}|${remotePort}`;
}
