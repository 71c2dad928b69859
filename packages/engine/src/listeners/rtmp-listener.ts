// TCP listener of RTMP: accepts peers up to its limits, ticks their timeouts, closes them all at the end.
import { createServer, type Server, type Socket } from 'node:net';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { createBroadcasts } from '../egress/broadcast/broadcasts.ts';
import { rtmpFormat } from '../egress/flv/flv-broadcast-format.ts';
import type { EngineConfig } from '../engine-config.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EnginePorts } from '../ports.ts';
import type { PlayGate } from '../sessions/gate/play-gate.ts';
import type { Refusals } from '../sessions/gate/refusals.ts';
import { RtmpSession } from '../sessions/rtmp/rtmp-session.ts';
import { UnusedTable } from '../util/unused-table.ts';

/** How often timeouts of sessions are looked at, milliseconds. */
const tickIntervalMs = 500;
/**
 * Peers that neither publish nor play yet, all together: such a peer holds 4 KB, and 128 KB when it sends the longest commands and
 * never ends them.
 */
const maxUnusedPeers = 1_000;
/** The same of one address: a studio behind one router, or its relay, connects a few hundred encoders at the same moment. */
export const maxUnusedPeersPerAddress = 256;
/** Silence after which the kernel asks whether the peer is still there, milliseconds. */
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
  /** Binds the port of the configuration and returns the one it got; rejects with the system error. */
  listen(): Promise<number>;
  /** Ends every session; resolves when the port and all sockets are released. Idempotent. */
  close(): Promise<void>;
  /** Open connections, whatever they are at. */
  readonly connections: number;
}

export function createRtmpListener(options: RtmpListenerOptions): RtmpListener {
  const { hub, ports, gate, refusals, config, clock } = options;
  const sessions = new Set<RtmpSession>();
  const unused = new UnusedTable<RtmpSession>({
    maxEntries: maxUnusedPeers,
    maxPerAddress: maxUnusedPeersPerAddress,
    onEvict: (session) => session.makeRoom(),
  });
  const sessionOptions = {
    hub,
    ports,
    clock,
    gate,
    refusals,
    broadcasts: createBroadcasts({ hub, format: rtmpFormat, config, clock }),
  };
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }, handleSocket);
  let ticker: NodeJS.Timeout | undefined;

  function handleSocket(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    if (sessions.size >= config.maxConnections && !unused.evictOldest()) {
      ports.log.warn({ ip: address, limit: config.maxConnections }, 'RTMP connection over the limit');
      socket.destroy();
      return;
    }
    const session: RtmpSession = new RtmpSession(socket, {
      ...sessionOptions,
      onUse: (isUsed) => (isUsed ? unused.remove(session) : unused.add(session, address)),
    });
    sessions.add(session);
    unused.add(session, address);
    socket.on('close', () => {
      sessions.delete(session);
      unused.remove(session);
    });
  }

  function tick(): void {
    const now = clock();
    for (const session of sessions) session.tick(now);
  }

  return {
    get connections() {
      return sessions.size;
    },
    async listen() {
      const port = await bind(server, config);
      // A connection that cannot be accepted (no file descriptor left) must not end the process.
      server.on('error', (error) => ports.log.error({ err: error }, 'RTMP connection could not be accepted'));
      ticker = setInterval(tick, tickIntervalMs);
      return port;
    },
    async close() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close('shutdown');
      await closed;
      sessions.clear();
      clearInterval(ticker);
    },
  };
}

function bind(server: Server, { rtmp }: EngineConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: rtmp.port, ...(rtmp.host !== undefined && { host: rtmp.host }) }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : rtmp.port);
    });
  });
}
