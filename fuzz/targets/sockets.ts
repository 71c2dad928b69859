// Every public listener of the engine, over loopback sockets: valid conversations are mutated, truncated and aborted.
// After each conversation the engine must still respond. Uncaught errors fail the run.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine, type Engine, type EnginePorts } from '../../packages/engine/src/index.ts';
import { testConfig } from '../../packages/engine/test/rtmp-server.ts';
import { createServer } from '../../packages/process/src/node-http.ts';
import { mutate } from '../mutate.ts';
import { rtmpSessions, rtspSessions, sdpOffer, transportStream } from '../seeds.ts';
import type { FuzzTarget } from '../target.ts';

/** Time after which the test closes a connection that the server has not closed, milliseconds. */
const patienceMs = 20;

type Door = 'rtmp' | 'rtsp' | 'http' | 'srt' | 'signalling';

interface World {
  readonly engine: Engine;
  readonly http: Server;
  readonly folder: string;
  readonly ports: Readonly<Record<Door, number>>;
}

const quiet = () => {};
const enginePorts: EnginePorts = {
  log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  isValidStream: ({ app, stream }) => /^[\w/.-]{1,128}$/.test(app) && /^[\w.-]{1,128}$/.test(stream),
  authorizePublish: async () => ({ allowed: true }),
  authorizePlay: async () => ({ allowed: true }),
  onUnpublish: quiet,
  onStop: quiet,
  onHlsSegment: quiet,
};

async function openWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'srs-fuzz-'));
  const hls = { ...testConfig.hls, enabled: true, path: join(folder, 'hls') };
  const srt = { host: '127.0.0.1', port: 0, latencyMs: 120 };
  const rtc = { host: '127.0.0.1', port: 0, candidates: ['127.0.0.1'] };
  const rtsp = { host: '127.0.0.1', port: 0, udp: { host: '127.0.0.1', port: 0 } };
  const config = { ...testConfig, hls, srt, rtc, rtsp, firstPacketTimeoutMs: 500 };
  const engine = createEngine(config, enginePorts);
  const bound = await engine.start();
  const http = createServer((request, response) => {
    if (!engine.handleRequest(request, response)) response.writeHead(404).end();
  });
  http.on('upgrade', (request, socket, head) => {
    if (!engine.handleUpgrade(request, socket, head)) socket.destroy();
  });
  http.on('clientError', (_error, socket) => socket.destroy());
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const ports = {
    ...{ rtmp: bound.rtmpPort, rtsp: bound.rtspPort ?? 0, srt: bound.srtPort ?? 0 },
    ...{ http: port, signalling: port },
  };
  return { engine, http, folder, ports };
}

async function closeWorld({ engine, http, folder }: World): Promise<void> {
  http.closeAllConnections();
  http.close();
  await engine.close();
  await rm(folder, { recursive: true, force: true });
}

const request = (line: string, ...rest: string[]) =>
  Buffer.from([`${line} HTTP/1.1`, 'Host: h', ...rest].join('\r\n').concat(rest.includes('') ? '' : '\r\n\r\n'));
const json = JSON.stringify({ sdp: sdpOffer.toString(), streamurl: 'webrtc://h/live/x', api: 'x', clientip: null });
const post = (path: string, body: string) =>
  request(`POST ${path}`, `Content-Length: ${Buffer.byteLength(body)}`, '', body);

const seedsOf: Readonly<Record<Door, readonly Buffer[]>> = {
  rtmp: rtmpSessions,
  rtsp: rtspSessions,
  http: [
    ...['/live/s.flv', '/live/s.m3u8', '/live/s.ts', '/live/s.m3u8?hls_ctx=a', '/live/s.aac'].map((path) =>
      request(`GET ${path}`),
    ),
    request(
      'GET /live/s.flv',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ),
  ],
  signalling: [
    post('/rtc/v1/whip/?app=live&stream=s', sdpOffer.toString()),
    post('/rtc/v1/whep/?app=live&stream=s', sdpOffer.toString()),
    post('/rtc/v1/play/', json),
    post('/rtc/v1/publish/', json),
    request('DELETE /rtc/v1/whip/?session=a&token=b'),
  ],
  srt: [
    Buffer.from(
      '8000000000000000000000000000000000000004000000020000000100000005dc00002000000001000003e700000000100007f000000000000000000000000'.padEnd(
        128,
        '0',
      ),
      'hex',
    ),
    transportStream.subarray(0, 188),
  ],
};

/** Creates a target that sends valid, mutated or truncated data to one listener and then disconnects. */
function socketTarget(door: Door, testInputs: number): FuzzTarget {
  let world: World | undefined;
  const seeds = seedsOf[door];
  let left = 0;
  return {
    name: `${door}-socket`,
    testInputs,
    generate(random) {
      const whole = random.pick(seeds);
      // Half of the connections send valid data that ends one byte later than in the previous connection.
      if (random.once(2)) return whole.subarray(0, left++ % (whole.length + 1));
      const bytes = mutate(whole, seeds, random);
      return random.once(2) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
    },
    async open() {
      world = await openWorld();
    },
    async run(input) {
      const { ports, engine } = world as World;
      if (door === 'srt') await sendDatagram(ports.srt, input);
      else await converse(ports[door], input);
      engine.streams();
      engine.clients();
    },
    async close() {
      if (world) await closeWorld(world);
    },
  };
}

/** Sends the input in one or two pieces. Waits until the server closes the connection, or closes it after `patienceMs`. */
async function converse(port: number, input: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', quiet);
  socket.resume();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()).once('close', () => resolve()));
  const middle = input.length >> 1;
  socket.write(input.subarray(0, middle));
  socket.write(input.subarray(middle));
  const abort = setTimeout(() => (input.length % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()), patienceMs);
  if (input.length % 3 === 0) socket.end();
  await closed;
  clearTimeout(abort);
}

async function sendDatagram(port: number, input: Buffer): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('error', quiet);
  await new Promise<void>((resolve) => socket.send(input, port, '127.0.0.1', () => resolve()));
  await new Promise(setImmediate);
  socket.close();
}

export const socketTargets: FuzzTarget[] = [
  socketTarget('rtmp', 60),
  socketTarget('rtsp', 60),
  socketTarget('http', 60),
  socketTarget('signalling', 60),
  socketTarget('srt', 200),
];
