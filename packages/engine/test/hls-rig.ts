// HLS with a real hub and a real HTTP server, in a temporary folder. Publishers push packets directly into the hub.
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { createHlsOutput, type HlsOutput } from '../src/egress/hls/hls-output.ts';
import { createLowLatencyOutput } from '../src/egress/low-latency-hls/low-latency-output.ts';
import type { HlsConfig } from '../src/engine-config.ts';
import { type Publication, StreamHub } from '../src/hub/stream-hub.ts';
import type { EnginePorts, HlsSegmentEvent, Verdict } from '../src/ports.ts';
import type { SessionInfo } from '../src/session-info.ts';
import { HeldRequests } from '../src/sessions/hls/held-requests.ts';
import { HlsFront } from '../src/sessions/hls/hls-front.ts';
import { openGate } from './gate-rig.ts';

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: object;
}

export interface HlsRig {
  readonly url: string;
  readonly folder: string;
  readonly hub: StreamHub;
  readonly output: HlsOutput;
  readonly config: HlsConfig;
  readonly log: LogLine[];
  readonly segments: HlsSegmentEvent[];
  readonly played: SessionInfo[];
  readonly stopped: SessionInfo[];
  verdict: Verdict;
  /** Authorizes every playlist and file. Without this function, every request is allowed. */
  review?: EnginePorts['reviewPlay'];
  /** Added to the engine's clock, milliseconds. */
  clockShiftMs: number;
  publish(stream: string, app?: string): Publication;
  close(): Promise<void>;
}

const hubConfig = {
  gopCache: { maxBytes: 16 * 1024 * 1024, maxDurationMs: 30_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 20_000,
};

/** @param held limits waiting requests; the default is the production limit. */
export async function startHls(changes: Partial<HlsConfig> = {}, held = new HeldRequests()): Promise<HlsRig> {
  const base = await mkdtemp(join(tmpdir(), 'hls-'));
  const folder = join(base, 'hls');
  await mkdir(folder);
  const defaults = {
    enabled: true,
    fragmentSeconds: 2,
    windowSeconds: 30,
    aofRatio: 2.1,
    disposeSeconds: 15,
    lowLatency: false,
  };
  const config: HlsConfig = { ...defaults, path: folder, sessionContexts: true, ...changes };
  const log: LogLine[] = [];
  const write = (level: string) => (fields: object, message: string) => void log.push({ level, message, fields });
  const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const clock = (): number => performance.now() + rig.clockShiftMs;
  const hub = new StreamHub({ config: hubConfig, log: logger, clock });
  const segments: HlsSegmentEvent[] = [];
  const played: SessionInfo[] = [];
  const stopped: SessionInfo[] = [];
  const ports: EnginePorts = {
    log: logger,
    isValidStream: ({ app, stream }) =>
      /^[\w.~-]+(\/[\w.~-]+)*$/.test(`${app}/${stream}`) && !`${app}/${stream}`.includes('..'),
    renditionOf: ({ stream }) => /^(.+)~\w+$/.exec(stream)?.[1],
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async (session) => {
      played.push(session);
      return rig.verdict;
    },
    reviewPlay: (request) => rig.review?.(request) ?? { allowed: true },
    onUnpublish: () => {},
    onStop: (session) => void stopped.push(session),
    onHlsSegment: (event) => void segments.push(event),
  };
  const output = createHlsOutput({ hub, config, clock: () => clock(), ports });
  const lowLatency = createLowLatencyOutput({ hub, config, clock: () => clock(), renditionOf: ports.renditionOf });
  const front = new HlsFront({
    output,
    lowLatency,
    ports,
    held,
    clock: () => clock(),
    gate: openGate(hub, ports).gate,
  });
  const server = createServer((request, response) => {
    if (!front.handleRequest(request, response)) response.writeHead(418).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rig: HlsRig = {
    ...{ url, folder, hub, output, config, log, segments, played, stopped },
    verdict: { allowed: true },
    clockShiftMs: 0,
    publish: (stream, app = 'live') => publish(hub, { app, stream, now: clock() }),
    async close() {
      hub.close();
      front.close();
      lowLatency.close();
      await output.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(base, { recursive: true, force: true });
    },
  };
  return rig;
}

function publish(hub: StreamHub, { app, stream, now }: { app: string; stream: string; now: number }): Publication {
  const session: SessionInfo = {
    vhost: defaultVhost,
    app,
    stream,
    clientId: 'publish1',
    type: 'fmle-publish',
    ip: '10.1.2.3',
    param: '?secret=x',
    tcUrl: `rtmp://h/${app}`,
    pageUrl: '',
  };
  const result = hub.publish(session, { close: () => {} }, now, { keepsClock: stream.includes('~') });
  if (!result.ok) throw new Error(result.detail);
  return result.publication;
}

export function send(publication: Publication, packets: readonly Packet[], { shiftMs = 0 } = {}): void {
  for (const track of new Set(packets.map((packet) => packet.track))) publication.setTrack(track);
  for (const packet of packets) {
    publication.push({ ...packet, dtsMs: packet.dtsMs + shiftMs, ptsMs: packet.ptsMs + shiftMs } as Packet);
  }
}
