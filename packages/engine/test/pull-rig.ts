// Pulls into a separate hub. Also RTSP cameras: Debian's gst-rtsp-server, and a scripted camera for failure cases.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { onTestFinished } from 'vitest';
import type { PullOrder, PullSnapshot } from '../src/sessions/pull/pull-status.ts';
import { Pulls } from '../src/sessions/pull/pulls.ts';
import { openGate } from './gate-rig.ts';
import { type RtmpServer, start, startRtmpServer, testConfig, until } from './rtmp-server.ts';

/** Debian's Python, which has the bindings of GStreamer (`python3-gi`, `gir1.2-gst-rtsp-server-1.0`). */
const python = '/usr/bin/python3';
const probe = 'import gi; gi.require_version("GstRtspServer", "1.0"); from gi.repository import GstRtspServer';
export const hasGstServer = spawnSync(python, ['-c', probe]).status === 0;

export async function startCamera(...options: string[]): Promise<{ port: number; kill: () => Promise<void> }> {
  const process = start(python, [fileURLToPath(new URL('./camera.py', import.meta.url)), ...options]);
  const kill = async (): Promise<void> => {
    process.kill();
    await process.done;
  };
  onTestFinished(kill);
  const failed = process.done.then(({ stderr }) => {
    throw new Error(`the camera did not start: ${stderr}`);
  });
  const [line] = (await Promise.race([once(createInterface(process.child.stdout), 'line'), failed])) as [string];
  failed.catch(() => undefined);
  return { port: Number(line), kill };
}

export interface PullRig {
  readonly pulls: Pulls;
  readonly server: RtmpServer;
  readonly hostCalls: string[];
  rowOf(id: string): PullSnapshot;
  /** Resolves when the stream has this number of video frames. */
  frames(name: string, count: number): Promise<void>;
  untilReason(id: string, reason: string): Promise<PullSnapshot>;
  skip(ms: number): void;
}

/** `options` may classify or refuse addresses, and refuse publishers. */
export async function openPulls(
  options: {
    mayContact?: (address: string) => boolean;
    isSourceNetwork?: (address: string) => boolean;
    isPrivate?: (address: string) => boolean;
    allows?: boolean;
  } = {},
): Promise<PullRig> {
  const { mayContact = () => true, isSourceNetwork, isPrivate, allows = true } = options;
  const hostCalls: string[] = [];
  const server = await startRtmpServer();
  const { hub, logged } = server;
  const log = recorder(logged);
  const ports = {
    ...{ log, onStop: () => undefined, onHlsSegment: () => undefined },
    isValidStream: () => true,
    authorizePublish: async ({ param }: { param: string }) => {
      hostCalls.push(param);
      return allows
        ? ({ allowed: true } as const)
        : ({ allowed: false, reason: 'publish-secret-wrong', detail: 'the publish secret is wrong' } as const);
    },
    authorizePlay: async () => ({ allowed: true }) as const,
    onUnpublish: (session: { stream: string }) => hostCalls.push(`end ${session.stream}`),
  };
  const { refusals } = openGate(hub, ports, testConfig);
  let skippedMs = 0;
  const clock = (): number => performance.now() + skippedMs;
  const onFault = (error: unknown): void => {
    throw error;
  };
  const gate = { hub, ports, refusals, clock };
  const pulls = new Pulls({ gate, mayContact, isSourceNetwork, isPrivate, log, onFault, clock, random: () => 0 });
  onTestFinished(async () => {
    pulls.close();
    await server.close();
  });
  const rowOf = (id: string): PullSnapshot => pulls.snapshots().find((row) => row.id === id)!;
  return {
    ...{ pulls, server, hostCalls, rowOf },
    frames: (name, count) =>
      until(() => (hub.find({ vhost: defaultVhost, app: 'live', stream: name })?.stats.frames ?? 0) >= count),
    skip: (ms) => {
      skippedMs += ms;
    },
    async untilReason(id, reason) {
      await until(() => rowOf(id).reason === reason);
      return rowOf(id);
    },
  };
}

function recorder(logged: RtmpServer['logged']) {
  const write = (fields: object, message: string): void => void logged.push({ fields, message });
  return { debug: write, info: write, warn: write, error: write };
}

export function order(id: string, url: string, changes: Partial<PullOrder> = {}): PullOrder {
  return {
    id,
    vhost: defaultVhost,
    app: 'live',
    stream: id,
    param: '',
    url,
    acceptsAnyCertificate: false,
    transport: 'tcp',
    onDemand: false,
    ...changes,
  };
}

export interface ScriptedRequest {
  readonly method: string;
  readonly url: string;
  readonly head: string;
  readonly connection: number;
  readonly socket: Socket;
  respond(status: string, headers?: Record<string, string>, body?: string): void;
}

export async function scriptedCamera(onRequest: (request: ScriptedRequest) => void, port = 0) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    const connection = ++connections;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        const [method = '', url = ''] = head.split(' ');
        const cseq = /CSeq: (\d+)/.exec(head)?.[1] ?? '';
        const respond: ScriptedRequest['respond'] = (status, headers = {}, body = '') => {
          const all = { CSeq: cseq, ...headers, ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }) };
          const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
          socket.write(`RTSP/1.0 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
        };
        onRequest({ method, url, head, connection, socket, respond });
      }
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(close);
  const bound = (server.address() as AddressInfo).port;
  return { url: `rtsp://127.0.0.1:${bound}/a`, port: bound, close, connections: () => connections };
}
