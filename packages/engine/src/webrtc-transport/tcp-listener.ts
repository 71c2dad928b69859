// TCP listener for WebRTC peers that cannot send UDP (passive TCP candidates, RFC 6544 §4.1). Each connection is forwarded to the UDP port
// through a separate UDP socket (`tcp-peer.ts`).
import { createServer, type Server, type Socket } from 'node:net';
import type { StunAddress } from '@srs-stack/media/protocols/stun/stun-address.ts';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { ListenAddress } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import { bindServer } from '../util/bind-server.ts';
import { SharedTurns } from '../util/shared-turns.ts';
import { UnusedTable } from '../util/unused-table.ts';
import { TcpPeer, type UdpPort } from './tcp-peer.ts';

/** Maximum number of peers. Each peer may queue a quarter of a megabyte. */
const maxTcpPeers = 1_024;
/** Maximum number of peers per address, such as an office behind one router. A single client must not take all places. */
const maxTcpPeersPerAddress = 256;
/** Maximum number of peers that wait for the first response of a session. */
const maxUnanswered = 256;
/** Maximum number of waiting peers per address. A client without a session must not keep others out. */
const maxUnansweredPerAddress = 64;

export class TcpListener {
  readonly #udpPort: UdpPort;
  readonly #log: EngineLogger;
  readonly #server: Server;
  readonly #turns = new SharedTurns();
  /** Addresses of the peers, by the local UDP port of each peer. */
  readonly #senders = new Map<number, StunAddress>();
  readonly #unanswered = new UnusedTable<TcpPeer>({
    ...{ maxEntries: maxUnanswered, maxPerAddress: maxUnansweredPerAddress },
    onEvict: (peer) => peer.close(),
  });
  readonly #peers = new UnusedTable<TcpPeer>({
    maxPerAddress: maxTcpPeersPerAddress,
    onEvict: (peer) => peer.close(),
  });

  constructor(udpPort: UdpPort, log: EngineLogger) {
    this.#udpPort = udpPort;
    this.#log = log;
    this.#server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  }

  get peerCount(): number {
    return this.#peers.size;
  }

  /** Address of the TCP peer that is forwarded from this local address. Undefined for a sender of UDP datagrams. */
  senderOf({ ip, port }: StunAddress): StunAddress | undefined {
    return plainAddress(ip) === this.#udpPort.host ? this.#senders.get(port) : undefined;
  }

  /** Returns the bound port. Rejects with the system error. */
  async listen(address: ListenAddress): Promise<number> {
    const port = await bindServer(this.#server, address);
    const shortage = createHandleShortage(this.#log);
    // Keeps the process running when a connection cannot be accepted.
    this.#server.on('error', (error) => {
      if (!shortage.report(error)) this.#log.error({ err: error }, 'WebRTC TCP connection could not be accepted');
    });
    return port;
  }

  close(): void {
    this.#server.close();
    while (this.#peers.evictOldest());
  }

  #take(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (this.#peers.size >= maxTcpPeers && !this.#unanswered.evictOldest()) {
      this.#log.warn({ ip: address, limit: maxTcpPeers }, 'WebRTC TCP connection refused: connection limit reached');
      socket.destroy();
      return;
    }
    const sender = { ip: address, port: socket.remotePort ?? 0 };
    let localPort = 0;
    const peer = new TcpPeer(socket, this.#udpPort, this.#turns, {
      onOpen: (port) => {
        localPort = port;
        this.#senders.set(port, sender);
      },
      onResponse: () => this.#unanswered.remove(peer),
      onEnd: () => {
        this.#senders.delete(localPort);
        this.#unanswered.remove(peer);
        this.#peers.remove(peer);
      },
    });
    this.#unanswered.add(peer, address);
    this.#peers.add(peer, address);
  }
}
