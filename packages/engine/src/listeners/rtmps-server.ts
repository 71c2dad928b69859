// The TLS server of RTMP and RTSP over TLS: passes on connections after their handshake. Before the handshake, connections are in the table
// of unused peers, with the limits of unencrypted connections.
import type { ServerOpts, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { paceHandshakes } from '@srs-stack/process/handshake-pace.ts';
import { addressGroup, plainAddress } from '@srs-stack/process/ip-address.ts';
import type { TurnLimits } from '@srs-stack/process/turn-queue.ts';
import type { UnusedTable } from '../util/unused-table.ts';

/** Time limit of a TLS handshake, milliseconds, as on the HTTPS listener. */
const handshakeTimeoutMs = 10_000;
/**
 * Limits of TLS handshakes; further handshakes wait. Each takes 0.5 ms of the core that carries the media, all together at most a tenth of
 * that core. A studio with 256 encoders behind one address connects within three seconds.
 */
const handshakeTurns: TurnLimits = { mostPerTurn: 2, mostPerSecond: 200, mostPerSecondOfAddress: 100 };

/** A peer that can be closed to make room for a newer peer. */
export interface UnusedPeer {
  makeRoom(): void;
}

export interface RtmpsServerOptions {
  readonly socketOptions: ServerOpts;
  readonly unused: UnusedTable<UnusedPeer>;
  readonly onSocket: (socket: Socket) => void;
  /** Replaced in tests. */
  readonly handshakes?: TurnLimits;
}

export interface RtmpsServer {
  readonly server: Server;
  /** Ends unfinished handshakes, which would delay closing the server. */
  dropHandshakes(): void;
}

/** Creates a server without a certificate. Handshakes fail until `setSecureContext` is called. */
export function createRtmpsServer(options: RtmpsServerOptions): RtmpsServer {
  const { socketOptions, unused, onSocket } = options;
  const server = createServer({ ...socketOptions, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs });
  paceHandshakes(server, ({ remoteAddress = '' }) => addressGroup(remoteAddress), options.handshakes ?? handshakeTurns);
  const handshakes = new Map<string, UnusedPeer>();
  const endHandshake = (peer: string): void => {
    const entry = handshakes.get(peer);
    handshakes.delete(peer);
    if (entry) unused.remove(entry);
  };
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket);
    const entry: UnusedPeer = { makeRoom: () => socket.destroy() };
    handshakes.set(peer, entry);
    unused.add(entry, plainAddress(socket.remoteAddress ?? ''));
    socket.on('error', () => undefined);
    socket.once('close', () => endHandshake(peer));
  });
  server.on('secureConnection', (socket) => {
    endHandshake(peerOf(socket));
    onSocket(socket);
  });
  // A failed handshake closes only its connection.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const dropHandshakes = (): void => {
    for (const handshake of handshakes.values()) handshake.makeRoom();
  };
  return { server, dropHandshakes };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
