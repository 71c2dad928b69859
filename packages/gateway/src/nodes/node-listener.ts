// The internal port of a node, only for nodes of the cluster, which are authenticated by certificate. All gateways of the node share the
// port. A connection for another gateway is handed over on the Unix socket of that gateway.
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { ListenAddress } from '@srs-stack/engine';
import { type ClusterTls, connectionTrouble, gatewayOfName } from '@srs-stack/process/cluster/cluster-tls.ts';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import { addressGroup } from '@srs-stack/process/ip-address.ts';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { createReportRateLimit } from '@srs-stack/process/report-rate-limit.ts';

/** Timeout of a TLS handshake, milliseconds. Received bytes do not extend the timeout. A handshake takes two round trips. */
const handshakeTimeoutMs = 5_000;
/**
 * Maximum number of concurrent handshakes, in total and per address group. A node of 16 gateways that reconnects starts some hundred
 * handshakes, each of some milliseconds.
 */
const maxHandshakes = 256;
const maxHandshakesOfAddress = 64;
/**
 * Maximum number of handshakes per second, in total and per address group. A handshake takes up to half a millisecond of the core that
 * carries the media.
 */
const maxHandshakesPerSecond = 400;
const maxHandshakesPerSecondOfAddress = 100;
/**
 * Maximum number of connections from other nodes. Each gateway of 64 nodes with 4 gateways uses a few connections for announcements,
 * streams and requests.
 */
const maxConnections = 8_192;
/** Idle time before TCP keep-alive probes, milliseconds. The probes detect a node that was switched off. */
const keepAliveMs = 10_000;
/** Rate limit for log lines about refused connections: ten lines at once, then one line every ten seconds. */
const strangerReports = { burst: 10, intervalMs: 10_000 };

export interface NodeListenerOptions {
  readonly tls: ClusterTls;
  readonly listen: ListenAddress & { readonly reusePort?: boolean };
  readonly dataDir: string;
  readonly gateways: { readonly count: number; readonly index: number };
  readonly accept: (connection: TLSSocket) => void;
  readonly log: Logger;
  /** Timeout of the handshake, milliseconds. Shortened in tests. */
  readonly handshakeMs?: number;
}

interface Handshake {
  readonly address: string;
  readonly timer: NodeJS.Timeout;
}

export class NodeListener {
  readonly #options: NodeListenerOptions;
  readonly #server: Server;
  readonly #tls: TlsServer;
  readonly #handshakes = new Map<string, Handshake>();
  readonly #sockets = new Set<Socket>();
  /** Number of handshakes started in the current second, by address group. */
  #begun = new Map<string, number>();
  #begunInAll = 0;
  #secondSinceMs = 0;
  #turnedAway = 0;
  readonly #reports = createReportRateLimit(strangerReports);

  constructor(options: NodeListenerOptions) {
    this.#options = options;
    this.#tls = createTlsServer(options.tls.serverOptions(), (socket) => this.#enter(socket));
    this.#tls.on('tlsClientError', (error, socket) => this.#refuse(error, socket));
    this.#server = createServer({ keepAlive: true, keepAliveInitialDelay: keepAliveMs, noDelay: true }, (socket) =>
      this.#begin(socket),
    );
    this.#server.maxConnections = maxConnections;
  }

  get handshakes(): number {
    return this.#handshakes.size;
  }

  get turnedAway(): number {
    return this.#turnedAway;
  }

  /** Resolves with the bound port. Rejects with the system error. */
  async listen(): Promise<number> {
    const { listen, log } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(listen, resolve);
    });
    const shortage = createHandleShortage(log);
    this.#server.on('error', (error) => {
      if (!shortage.report(error)) log.error({ err: error }, 'connection from another node could not be accepted');
    });
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Idempotent. */
  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    for (const { timer } of this.#handshakes.values()) clearTimeout(timer);
    this.#handshakes.clear();
  }

  #begin(socket: Socket): void {
    const { remoteAddress = '', remotePort } = socket;
    const address = addressGroup(remoteAddress);
    socket.on('error', () => undefined);
    if (!this.#hasPlace(address)) {
      this.#turnedAway++;
      socket.destroy();
      return;
    }
    const place = `${remoteAddress} ${remotePort}`;
    const timer = setTimeout(() => socket.destroy(), this.#options.handshakeMs ?? handshakeTimeoutMs);
    this.#handshakes.set(place, { address, timer });
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#end(place);
    });
    this.#tls.emit('connection', socket);
  }

  #hasPlace(address: string): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#secondSinceMs >= 1_000) {
      this.#secondSinceMs = nowMs;
      this.#begun = new Map();
      this.#begunInAll = 0;
    }
    const begun = this.#begun.get(address) ?? 0;
    if (this.#begunInAll >= maxHandshakesPerSecond || begun >= maxHandshakesPerSecondOfAddress) return false;
    const current = [...this.#handshakes.values()].filter((each) => each.address === address).length;
    if (this.#handshakes.size >= maxHandshakes || current >= maxHandshakesOfAddress) return false;
    this.#begun.set(address, begun + 1);
    this.#begunInAll++;
    return true;
  }

  #end(place: string): void {
    clearTimeout(this.#handshakes.get(place)?.timer);
    this.#handshakes.delete(place);
  }

  /** Called after the handshake. Closes the connection if its certificate does not belong to this cluster. */
  #enter(socket: TLSSocket): void {
    this.#end(`${socket.remoteAddress} ${socket.remotePort}`);
    socket.on('error', () => undefined);
    // Resumed sessions are refused, because a resumed session has no certificate to check.
    if (!socket.authorized || socket.isSessionReused()) {
      socket.destroy();
      return;
    }
    const { gateways, dataDir, accept } = this.#options;
    const gateway = gatewayOfName((socket as { servername?: string | false }).servername);
    if (gateway === gateways.index) accept(socket);
    else if (gateway !== undefined && gateway < gateways.count) handOver(socket, siblingSocket(dataDir, gateway));
    else socket.destroy();
  }

  #refuse(error: Error & { code?: string }, socket: TLSSocket): void {
    const omitted = this.#reports.take(performance.now());
    // `authorizationError` contains the verdict on the certificate. `error` only reports the end of the connection.
    const verdict = socket.authorizationError as unknown;
    const reason = connectionTrouble(typeof verdict === 'string' ? Object.assign(error, { code: verdict }) : error);
    if (omitted !== undefined) {
      this.#options.log.warn(
        { address: socket.remoteAddress, reason, omitted },
        'this gateway refused a TLS connection to its internal port',
      );
    }
    socket.destroy();
  }
}

function handOver(socket: TLSSocket, path: string): void {
  const other = connect(path);
  pipeline(socket, other, socket, () => undefined);
}
