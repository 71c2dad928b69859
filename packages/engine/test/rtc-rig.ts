// WebRTC signalling over loopback with real native peers: a hub, the listener, an HTTP server, an offer.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { StreamHub } from '../src/hub/stream-hub.ts';
import { RtcListener, type RtcListenerOptions } from '../src/listeners/rtc-listener.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { Refusal, SessionInfo } from '../src/session-info.ts';
import { openGate } from './gate-rig.ts';
import { testConfig } from './rtmp-server.ts';

/** Offer of a browser that plays. The tests never complete its connection. */
export const playOffer = readFileSync(
  join(import.meta.dirname, '../../media/src/protocols/sdp/testdata/chromium-156-offer.sdp'),
  'utf8',
);

export const loopbackRtc = { host: '127.0.0.1', port: 0, candidates: [] } as const;

export interface RtcRig {
  readonly hub: StreamHub;
  readonly listener: RtcListener;
  readonly port: number;
  readonly refusals: Refusal[];
  /** Players that the host authorized. `ended`: sessions whose end was reported to the host. */
  readonly played: SessionInfo[];
  readonly ended: SessionInfo[];
  readonly errors: object[];
  readonly details: string[];
  /** Number of calls with a closed connection or a sent response. */
  finishedCalls: number;
  ip: string;
  close(): Promise<void>;
}

export async function startRtc(
  overrides: { ports?: Partial<EnginePorts>; options?: Partial<RtcListenerOptions> } = {},
): Promise<RtcRig> {
  const silent = (): void => {};
  const errors: object[] = [];
  const details: string[] = [];
  const debug = (_fields: object, message: string): void => void details.push(message);
  const log = { debug, info: silent, warn: silent, error: (fields: object) => void errors.push(fields) };
  const clock = overrides.options?.clock ?? (() => performance.now());
  const hub = new StreamHub({ config: testConfig, log, clock });
  const played: SessionInfo[] = [];
  const ended: SessionInfo[] = [];
  const ports: EnginePorts = {
    log,
    isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async (session) => {
      played.push(session);
      return { allowed: true };
    },
    onUnpublish: (session) => void ended.push(session),
    onStop: (session) => void ended.push(session),
    onHlsSegment: silent,
    ...overrides.ports,
  };
  const { gate, refusals: recorded } = openGate(hub, ports, { maxConnections: 20_000 });
  const refusals = recorded.inOrder;
  const listener = new RtcListener({
    hub,
    ports,
    gate,
    refusals: recorded,
    rtc: loopbackRtc,
    gopCache: testConfig.gopCache,
    clock,
    wallClock: Date.now,
    memoryBytes: 8 * 1024 ** 3,
    ...overrides.options,
  });
  await listener.listen();
  const server = createServer((incoming, response) => {
    response.once('close', () => {
      rig.finishedCalls += 1;
    });
    if (!listener.handleRequest(incoming, response, rig.ip)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const rig: RtcRig = {
    ...{ hub, listener, refusals, played, ended, errors, details },
    finishedCalls: 0,
    ip: '192.0.2.1',
    port: (server.address() as AddressInfo).port,
    async close() {
      hub.close();
      listener.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return rig;
}

export interface RtcCallResponse {
  readonly status: number;
  readonly location: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function call(
  port: number,
  path: string,
  { method = 'POST', body = '', headers = {} as OutgoingHttpHeaders } = {},
): Promise<RtcCallResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: responseHeaders } = response;
      const chunks: Buffer[] = await response.toArray();
      const text = Buffer.concat(chunks).toString();
      resolve({ status, location: responseHeaders.location ?? '', headers: responseHeaders, body: text });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** A raw connection that has sent `bytes`. The test decides how the connection ends. */
export function send(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)));
    socket.once('error', reject);
  });
}

export function post(path: string, contentLength: number, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${contentLength}\r\n\r\n${body}`;
}
