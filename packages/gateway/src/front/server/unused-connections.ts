// Connections of a public server without an open request, limited in total and per address. A new connection replaces the oldest. A
// connection with an open request is kept, however long the request takes.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { UnusedTable } from '@srs-stack/engine';
import { maxUnusedConnections, maxUnusedConnectionsPerAddress } from '../limits/front-limits.ts';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Number of requests without a complete response. May exceed one when a client pipelines. */
  underWay: number;
}

export interface UnusedConnectionLimits {
  readonly maxEntries: number;
  readonly maxPerAddress: number;
}

const usualLimits = { maxEntries: maxUnusedConnections, maxPerAddress: maxUnusedConnectionsPerAddress };

/** Call before the server gets other request listeners. */
export function boundUnusedConnections(server: Server | TlsServer, limits: UnusedConnectionLimits = usualLimits): void {
  const unused = new UnusedTable<Connection>({ ...limits, onEvict: ({ socket }) => socket.destroy() });
  /**
   * Connections by peer address. The socket is not a key: an HTTPS request has a TLS socket, but the event `connection` has the TCP socket.
   */
  const connections = new Map<string, Connection>();
  /** Connections by the socket of their first request. Faster than building the address string for each request. */
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
