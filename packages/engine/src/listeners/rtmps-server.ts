// The TLS server of RTMP over TLS: hands on connections whose handshake is done. Those before it stand in the table of unused peers, so
// that they share the limits of plain RTMP.
import type { ServerOpts, Socket } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { UnusedTable } from '../util/unused-table.ts';

/** A TLS handshake must be done in this time, milliseconds, as on the HTTPS listener. */
const handshakeTimeoutMs = 10_000;

/** A peer that makes room for newer ones. */
export interface UnusedPeer {
  makeRoom(): void;
}

export interface RtmpsServerOptions {
  readonly socketOptions: ServerOpts;
  readonly unused: UnusedTable<UnusedPeer>;
  readonly onSocket: (socket: Socket) => void;
}

export interface RtmpsServer {
  readonly server: Server;
  /** Those under way; they would keep the server from closing. */
  dropHandshakes(): void;
}

/** Without a certificate yet: handshakes fail until `setSecureContext` is called. */
export function createRtmpsServer({ socketOptions, unused, onSocket }: RtmpsServerOptions): RtmpsServer {
  const server = createServer({ ...socketOptions, minVersion: 'TLSv1.2', handshakeTimeout: handshakeTimeoutMs });
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
  // A failed handshake concerns its own connection only.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const dropHandshakes = (): void => {
    for (const handshake of handshakes.values()) handshake.makeRoom();
  };
  return { server, dropHandshakes };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
