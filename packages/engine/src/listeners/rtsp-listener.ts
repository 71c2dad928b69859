// TCP listener of RTSP, with and without TLS, and the UDP ports of its sessions. Accepts peers up to the limits, checks their timeouts, and
// closes them at the end.
import { createServer, type Server, type Socket } from 'node:net';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { createBroadcasts } from '../egress/broadcast/broadcasts.ts';
import { rtspFormat } from '../egress/rtsp/rtsp-broadcast-format.ts';
import type { ServerCertificate } from '../engine.ts';
import type { EngineConfig, ListenAddress, RtspConfig } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EnginePorts } from '../ports.ts';
import type { PlayGate } from '../sessions/gate/play-gate.ts';
import type { Refusals } from '../sessions/gate/refusals.ts';
import { RtspSession, type RtspSessionOptions } from '../sessions/rtsp/rtsp-session.ts';
import { bindServer } from '../util/bind-server.ts';
import { RestingTicker } from '../util/resting-ticker.ts';
import { SharedTurns } from '../util/shared-turns.ts';
import { UnusedTable } from '../util/unused-table.ts';
import { createRtmpsServer, type RtmpsServer, type UnusedPeer } from './rtmps-server.ts';
import { RtspUdpPorts } from './rtsp-udp-ports.ts';

const tickIntervalMs = 500;
/** Maximum number of peers that neither publish nor play. Each uses at most 80 KB. */
const maxUnusedPeers = 1_000;
/** Maximum number of peers per address that neither publish nor play, as for RTMP. */
const maxUnusedRtspPeersPerAddress = 256;
/** Silence before the kernel probes the peer (TCP keepalive), milliseconds. */
const keepAliveMs = 30_000;

export interface RtspListenerOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly config: EngineConfig;
  readonly rtsp: RtspConfig;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

export class RtspListener {
  readonly #options: RtspListenerOptions;
  readonly #sessions = new Set<RtspSession>();
  readonly #unused = new UnusedTable<UnusedPeer>({
    maxEntries: maxUnusedPeers,
    maxPerAddress: maxUnusedRtspPeersPerAddress,
    onEvict: (peer) => peer.makeRoom(),
  });
  readonly #server: Server;
  readonly #tls: RtmpsServer | undefined;
  readonly #ticker = new RestingTicker({ everyMs: tickIntervalMs, tick: () => this.#tick() });
  readonly #sessionOptions: Omit<RtspSessionOptions, 'onUse' | 'datagrams'>;
  #udp: RtspUdpPorts | undefined;

  constructor(options: RtspListenerOptions) {
    this.#options = options;
    const { hub, ports, gate, refusals, clock } = options;
    const broadcasts = {
      both: this.#broadcasts(true, true),
      video: this.#broadcasts(true, false),
      audio: this.#broadcasts(false, true),
    };
    this.#sessionOptions = {
      ...{ hub, ports, gate, refusals, clock, broadcasts },
      turns: new SharedTurns(),
    };
    const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs };
    this.#server = createServer(socketOptions, (socket) => this.#handleSocket(socket, this.#udp));
    // No UDP with TLS: datagrams are not encrypted, so all media stays inside the connection.
    const onSocket = (socket: Socket): void => this.#handleSocket(socket, undefined);
    if (options.rtsp.tls) this.#tls = createRtmpsServer({ socketOptions, unused: this.#unused, onSocket });
    gate.addHolder(this);
  }

  /** Number of admitted viewers that do not play: not started, or paused. */
  get heldPlaces(): number {
    let held = 0;
    for (const session of this.#sessions) if (session.holdsPlace) held++;
    return held;
  }

  makeRoom(): boolean {
    for (const session of this.#sessions) {
      if (!session.holdsPlace) continue;
      session.close('error');
      return true;
    }
    return false;
  }

  listen(): Promise<number> {
    return this.#bind(this.#server, this.#options.rtsp);
  }

  /** Binds the configured TLS port; undefined if none is configured. */
  async listenTls(): Promise<number | undefined> {
    const { tls } = this.#options.rtsp;
    return this.#tls && tls && this.#bind(this.#tls.server, tls);
  }

  /** Binds the two UDP ports; returns the RTP port, undefined if none is configured. */
  async listenUdp(): Promise<number | undefined> {
    const { udp } = this.#options.rtsp;
    if (!udp) return undefined;
    this.#udp = await RtspUdpPorts.open(udp, this.#options.ports.log);
    return this.#udp.rtpPort;
  }

  setCertificate(certificate: ServerCertificate): void {
    this.#tls?.server.setSecureContext(certificate);
  }

  async close(): Promise<void> {
    this.#udp?.close();
    this.#udp = undefined;
    const servers = [this.#server, this.#tls?.server].filter((server) => server?.listening);
    const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server!.close(() => resolve()))));
    this.#tls?.dropHandshakes();
    for (const session of this.#sessions) session.destroy();
    await closed;
    this.#ticker.close();
  }

  #broadcasts(video: boolean, audio: boolean) {
    const { hub, config, clock, wallClock } = this.#options;
    return createBroadcasts({ hub, config, clock, format: rtspFormat({ video, audio }, wallClock) });
  }

  async #bind(server: Server, address: ListenAddress): Promise<number> {
    const { host, port: wanted, reusePort } = address;
    const port = await bindServer(server, { ...(host && { host }), port: wanted, ...(reusePort && { reusePort }) });
    const { log } = this.#options.ports;
    const shortage = createHandleShortage(log);
    // A failure to accept a connection must not end the process.
    server.on('error', (error) => {
      if (!shortage.report(error)) log.error({ err: error }, 'RTSP connection could not be accepted');
    });
    return port;
  }

  #handleSocket(socket: Socket, datagrams: RtspUdpPorts | undefined): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const { maxConnections } = this.#options.config;
    if (this.#sessions.size >= maxConnections && !this.#unused.evictOldest()) {
      this.#options.ports.log.warn(
        { ip: address, limit: maxConnections },
        'RTSP connection refused: connection limit reached',
      );
      socket.destroy();
      return;
    }
    const session: RtspSession = new RtspSession(socket, {
      ...this.#sessionOptions,
      datagrams,
      onUse: (isUsed) => (isUsed ? this.#unused.remove(session) : this.#keepUnused(session, socket, address)),
    });
    this.#sessions.add(session);
    this.#ticker.wake();
    this.#unused.add(session, address);
    socket.on('close', () => {
      this.#sessions.delete(session);
      this.#unused.remove(session);
    });
  }

  #keepUnused(session: RtspSession, socket: Socket, address: string): void {
    if (!socket.destroyed) this.#unused.add(session, address);
  }

  #tick(): boolean {
    const now = this.#options.clock();
    for (const session of this.#sessions) session.tick(now);
    return this.#sessions.size > 0;
  }
}
