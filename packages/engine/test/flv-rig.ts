// A hub with the HTTP outputs behind a loopback HTTP server, and clients that read FLV as a player does, for tests.
import { once } from 'node:events';
import { type ClientRequest, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultReporter } from '../src/faults.ts';
import type { AudioBridge } from '../src/hub/audio-bridge.ts';
import { type Publication, StreamHub } from '../src/hub/stream-hub.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { SessionInfo } from '../src/session-info.ts';
import type { Refusals } from '../src/sessions/gate/refusals.ts';
import { handleHttpPlay } from '../src/sessions/http/http-output.ts';
import { createHttpOutputs, findHttpOutput } from '../src/sessions/http/http-outputs.ts';
import { parseMediaPath } from '../src/sessions/http/media-path.ts';
import { WsFlvServer } from '../src/sessions/http/ws-flv-server.ts';
import { publisherSession, recordingLog } from '../src/testing/recorders.ts';
import { openGate } from './gate-rig.ts';
import { testConfig } from './rtmp-server.ts';

export interface FlvRig {
  readonly hub: StreamHub;
  readonly port: number;
  readonly server: Server;
  readonly refusals: Refusals;
  readonly stopped: SessionInfo[];
  readonly front: (server: Server) => void;
  publish(changes?: Partial<SessionInfo>): Publication;
  skip(ms: number): void;
  close(): Promise<void>;
}

export async function startFlvRig(
  overrides: {
    config?: Partial<typeof testConfig>;
    ports?: Partial<EnginePorts>;
    server?: Server;
    bridge?: AudioBridge;
  } = {},
): Promise<FlvRig> {
  const config = { ...testConfig, mergeWindowMs: 5, ...overrides.config };
  const log = recordingLog();
  let skippedMs = 0;
  const clock = (): number => performance.now() + skippedMs;
  const { bridge } = overrides;
  const hub = new StreamHub({ config, log, clock, ...(bridge && { bridge }) });
  const stopped: SessionInfo[] = [];
  const ports: EnginePorts = {
    log,
    isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: () => {},
    onStop: (session) => stopped.push(session),
    onHlsSegment: () => {},
    ...overrides.ports,
  };
  const { gate, refusals } = openGate(hub, ports, config);
  const outputs = createHttpOutputs({ hub, gate, config, clock });
  const webSockets = new WsFlvServer(outputs.flv.viewers);
  const server = overrides.server ?? createServer();
  const front = (target: Server): void => {
    target.on('request', (request, response) => {
      const path = parseMediaPath(request.url ?? '')!;
      handleHttpPlay(findHttpOutput(outputs, path.extension)!, path, request, response, faultReporter(ports));
    });
    target.on('upgrade', (request, socket, head) => {
      void webSockets.handle(parseMediaPath(request.url ?? '')!, request, socket, head);
    });
  };
  front(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    hub,
    server,
    front,
    refusals,
    stopped,
    port: (server.address() as AddressInfo).port,
    publish(changes = {}) {
      const result = hub.publish(publisherSession(changes), { close: () => {} }, clock());
      if (!result.ok) throw new Error(result.detail);
      return result.publication;
    },
    skip(ms) {
      skippedMs += ms;
      hub.tick(clock());
    },
    async close() {
      hub.close();
      webSockets.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export interface FlvTag {
  readonly type: number;
  readonly timestampMs: number;
  readonly body: Buffer;
}

/** Parses FLV as it arrives. Throws on an invalid signature or tag size. */
export class FlvReader {
  readonly tags: FlvTag[] = [];
  flags: number | undefined;
  #rest = Buffer.alloc(0);

  push(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    if (this.flags === undefined && this.#rest.length >= 13) {
      if (this.#rest.toString('latin1', 0, 3) !== 'FLV') throw new Error('not an FLV file');
      this.flags = this.#rest[4];
      this.#rest = this.#rest.subarray(13);
    }
    while (this.flags !== undefined && this.#readTag());
  }

  media(type: 8 | 9): FlvTag[] {
    return this.tags.filter((tag) => tag.type === type && tag.body[1] !== 0);
  }

  get videoTimes(): number[] {
    return this.media(9).map(({ timestampMs }) => timestampMs);
  }

  #readTag(): boolean {
    if (this.#rest.length < 11) return false;
    const size = this.#rest.readUIntBE(1, 3);
    if (this.#rest.length < 15 + size) return false;
    if (this.#rest.readUInt32BE(11 + size) !== 11 + size) throw new Error('wrong previous tag size');
    const timestampMs = this.#rest.readUIntBE(4, 3) + this.#rest[7]! * 2 ** 24;
    this.tags.push({ type: this.#rest[0]!, timestampMs, body: Buffer.from(this.#rest.subarray(11, 11 + size)) });
    this.#rest = this.#rest.subarray(15 + size);
    return true;
  }
}

export interface FlvViewer {
  readonly response: IncomingMessage;
  readonly flv: FlvReader;
  readonly closed: Promise<unknown>;
  leave(): void;
}

/** Opens and reads the stream. Resolves with the response head. */
export async function watch(request: ClientRequest): Promise<FlvViewer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const flv = new FlvReader();
  response.on('data', (data: Buffer) => flv.push(data));
  response.on('error', () => {}); // a reset only ends this client
  const closed = once(response, 'close');
  return { response, flv, closed, leave: () => response.destroy() };
}

export function watchHttp(rig: FlvRig, path = '/live/s.flv'): Promise<FlvViewer> {
  return watch(get({ port: rig.port, path, agent: false }));
}
