// TCP listener of RTMP, with and without TLS. Accepts peers up to the limits, checks their timeouts, and closes them at the end.
import { createServer, type Server, type Socket } from 'node:net';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { createBroadcasts } from '../egress/broadcast/broadcasts.ts';
import { rtmpFormat } from '../egress/flv/flv-broadcast-format.ts';
import type { ServerCertificate } from '../engine.ts';
import type { EngineConfig, ListenAddress } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EnginePorts } from '../ports.ts';
import type { PlayGate } from '../sessions/gate/play-gate.ts';
import type { Refusals } from '../sessions/gate/refusals.ts';
import { RestingReads, restingHighWaterMark } from '../sessions/reads/resting-reads.ts';
import { RtmpSession } from '../sessions/rtmp/rtmp-session.ts';
import { bindServer } from '../util/bind-server.ts';
import { RestingTicker } from '../util/resting-ticker.ts';
import { SharedTurns } from '../util/shared-turns.ts';
import { UnusedTable } from '../util/unused-table.ts';
import { createRtmpsServer, type RtmpsServer, type UnusedPeer } from './rtmps-server.ts';

const tickIntervalMs = 500;
/** Maximum number of peers that neither publish nor play. Each uses 4 KB, or 128 KB with an incomplete command of maximum length. */
const maxUnusedPeers = 1_000;
/**
 * Maximum number of peers per address that neither publish nor play. A studio behind one router may connect a few hundred encoders
 * simultaneously.
 */
export const maxUnusedPeersPerAddress = 256;
const keepAliveMs = 30_000;

export interface RtmpListenerOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly config: EngineConfig;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
}

export interface RtmpListener {
  /** Binds the configured port; returns the bound port. Rejects with the system error. */
  listen(): Promise<number>;
  /** Binds the configured TLS port; undefined if none is configured. */
  listenTls(): Promise<number | undefined>;
  setCertificate(certificate: ServerCertificate): void;
  /** Ends every session. Resolves when the port and all sockets are released. Idempotent. */
  close(): Promise<void>;
  readonly connections: number;
}

export function createRtmpListener(options: RtmpListenerOptions): RtmpListener {
  return new TcpRtmpListener(options);
}

class TcpRtmpListener implements RtmpListener {
  readonly #options: RtmpListenerOptions;
  readonly #sessions = new Set<RtmpSession>();
  readonly #unused = new UnusedTable<UnusedPeer>({
    maxEntries: maxUnusedPeers,
    maxPerAddress: maxUnusedPeersPerAddress,
    onEvict: (peer) => peer.makeRoom(),
  });
  readonly #resting: RestingReads;
  readonly #sessionOptions: Omit<ConstructorParameters<typeof RtmpSession>[1], 'onUse'>;
  readonly #server: ReturnType<typeof createServer>;
  readonly #tls: RtmpsServer | undefined;
  readonly #ticker = new RestingTicker({ everyMs: tickIntervalMs, tick: () => this.#tick() });

  constructor(options: RtmpListenerOptions) {
    this.#options = options;
    this.#resting = new RestingReads(options.clock);
    this.#sessionOptions = {
      resting: this.#resting,
      turns: new SharedTurns(),
      hub: options.hub,
      ports: options.ports,
      clock: options.clock,
      gate: options.gate,
      refusals: options.refusals,
      broadcasts: createBroadcasts({
        hub: options.hub,
        format: rtmpFormat,
        config: options.config,
        clock: options.clock,
      }),
    };
    const socketOptions = {
      ...{ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs },
      highWaterMark: restingHighWaterMark,
    };
    const onSocket = (socket: Socket): void => this.#handleSocket(socket);
    this.#server = createServer(socketOptions, onSocket);
    if (options.config.rtmps) {
      this.#tls = createRtmpsServer({ socketOptions, unused: this.#unused, onSocket });
    }
  }

  get connections() {
    return this.#sessions.size;
  }

  async listen(): Promise<number> {
    return this.#bind(this.#server, this.#options.config.rtmp);
  }

  async listenTls(): Promise<number | undefined> {
    const { rtmps } = this.#options.config;
    return this.#tls && rtmps && this.#bind(this.#tls.server, rtmps);
  }

  setCertificate(certificate: ServerCertificate): void {
    this.#tls?.server.setSecureContext(certificate);
  }

  async #bind(server: Server, address: ListenAddress): Promise<number> {
    const port = await bindServer(server, address);
    const { log } = this.#options.ports;
    const shortage = createHandleShortage(log);
    // A failure to accept a connection must not end the process.
    server.on('error', (error) => {
      if (!shortage.report(error)) log.error({ err: error }, 'RTMP connection could not be accepted');
    });
    return port;
  }

  async close(): Promise<void> {
    const servers = [this.#server, this.#tls?.server].filter((server) => server?.listening);
    if (servers.length === 0) return;
    const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server!.close(() => resolve()))));
    this.#tls?.dropHandshakes();
    for (const session of this.#sessions) session.close('shutdown');
    await closed;
    this.#sessions.clear();
    this.#ticker.close();
    this.#resting.close();
  }

  #handleSocket(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (this.#sessions.size >= this.#options.config.maxConnections && !this.#unused.evictOldest()) {
      this.#options.ports.log.warn(
        { ip: address, limit: this.#options.config.maxConnections },
        'RTMP connection refused: connection limit reached',
      );
      socket.destroy();
      return;
    }
    const session: RtmpSession = new RtmpSession(socket, {
      ...this.#sessionOptions,
      onUse: (isUsed) => (isUsed ? this.#unused.remove(session) : this.#unused.add(session, address)),
    });
    this.#sessions.add(session);
    this.#ticker.wake();
    this.#unused.add(session, address);
    socket.on('close', () => {
      this.#sessions.delete(session);
      this.#unused.remove(session);
    });
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (const session of this.#sessions) session.tick(now);
    return this.#sessions.size > 0;
  }
}
