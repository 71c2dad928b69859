// Detects leaks: runs the engine in this process, opens and closes some thousand connections of each kind, and counts
// the remaining resources.
//
//   node --expose-gc bench/handles.ts            all kinds, about five minutes
//   node --expose-gc bench/handles.ts 0.1 RTMP   a tenth of the rounds, only kinds with that name
//
// These resources are counted before and after each kind: handles of the event loop, including those of native libraries
// (`process.report`), resources that keep the loop alive (`process.getActiveResourcesInfo`), open files, child
// processes, live heap with buffers, and resident memory. Clients run in this process too, so their leaks are included.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEngine, type EngineConfig, type EnginePorts } from '../packages/engine/src/index.ts';
import { createNameLookup } from '../packages/gateway/src/front/webrtc/name-lookup.ts';
import { monotonicUs, SrtCaller } from '../packages/srt/src/index.ts';
import { Tool } from './lib/child-process.ts';
import { datachannel } from './lib/datachannel.ts';
import { processTree } from './lib/process-figures.ts';
import { parseRtmpUrl, RtmpPublisher } from './lib/rtmp-publisher.ts';
import { FirstError } from './lib/tool-output.ts';
import { WhepViewer } from './lib/whep-viewer.ts';

const concurrency = 16;
/** Wait for delayed closes (idle HLS, audio converters), milliseconds. */
const restMs = 4_000;
/** Wait until a vanished WebRTC peer is detected, milliseconds: consent expires after 30 s (RFC 7675 §5.1). */
const consentMs = 35_000;
const share = Number(process.argv[2] ?? 1);

const silent = (): void => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };
const folder = mkdtempSync(join(tmpdir(), 'bench-handles-'));
const config: EngineConfig = {
  rtmp: { host: '127.0.0.1', port: 0 },
  srt: { host: '127.0.0.1', port: 0, latencyMs: 20 },
  rtc: { host: '127.0.0.1', port: 0, candidates: [] },
  hls: {
    ...{ enabled: true, path: join(folder, 'hls'), fragmentSeconds: 1, windowSeconds: 1, aofRatio: 2.1 },
    ...{ disposeSeconds: 1, lowLatency: false, sessionContexts: true },
  },
  mergeWindowMs: 10,
  gopCache: { maxBytes: 16 * 1024 * 1024, maxDurationMs: 10_000 },
  viewerQueue: { maxBytes: 8 * 1024 * 1024, maxDurationMs: 8_000 },
  takeoverSilenceMs: 3_000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 15_000,
  maxConnections: 1_000,
};
const ports: EnginePorts = {
  log,
  isValidStream: () => true,
  authorizePublish: async () => ({ allowed: true }),
  authorizePlay: async () => ({ allowed: true }),
  onUnpublish: silent,
  onStop: silent,
  onHlsSegment: silent,
};

datachannel.initLogger('Fatal', silent);
const engine = createEngine(config, ports);
const { rtmpPort, srtPort = 0 } = await engine.start();
const server = createServer((request, response) => {
  if (!engine.handleRequest(request, response)) response.writeHead(404).end();
});
server.on('upgrade', (request, socket, head) => {
  if (!engine.handleUpgrade(request, socket, head)) socket.destroy();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const publisher = new Tool({
  command: process.execPath,
  args: [
    join(import.meta.dirname, 'load/rtmp-pub.ts'),
    '--url',
    `rtmp://127.0.0.1:${rtmpPort}/live/s{i}`,
    '--time',
    600,
  ],
  log: '/dev/null',
});
await publisher.line('READY');
await delay(restMs);

function count() {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { libuv } = process.report.getReport() as unknown as { libuv: { type: string }[] };
  return {
    handles: libuv.length,
    active: process.getActiveResourcesInfo().length,
    files: readdirSync('/proc/self/fd').length,
    children: processTree(process.pid).length - 1,
    liveMb: Math.round((heapUsed + external) / 1e6),
    residentMb: Math.round(rss / 1e6),
  };
}

/** A raw connection: sends `bytes`, optionally waits for a response, then resets. */
async function tcp(to: number, bytes: string, isAnswered = true): Promise<void> {
  const socket = connect(to, '127.0.0.1');
  socket.on('error', silent);
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  const closed = once(socket, 'close');
  if (isAnswered) await Promise.race([once(socket, 'data'), closed]);
  socket.resetAndDestroy();
  await closed;
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: h\r\n${headers}\r\n`;
const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`;

function publish(index: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      one.close();
      resolve();
    };
    const target = parseRtmpUrl(`rtmp://127.0.0.1:${rtmpPort}/live/p${index}`);
    const one = new RtmpPublisher(target, { accepted: end, failed: () => resolve(), closed: () => resolve() });
  });
}

async function watchByWebrtc(index: number, how: 'delete' | 'close'): Promise<void> {
  const url = `http://127.0.0.1:${port}/rtc/v1/whep/?app=live&stream=none`;
  const options = { url, timeoutMs: 10_000, port: undefined, firstError: new FirstError(), isMeasuring: () => false };
  const viewer = new WhepViewer(index, options);
  await viewer.open();
  while (!viewer.after.connected && !viewer.failure) await delay(2);
  await viewer.leave(how);
}

/** Plays a stream with AAC audio over WHEP. A single process converts the audio for all players. */
async function watchConverted(index: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/rtc/v1/whep/?app=live&stream=s0`;
  const options = { url, timeoutMs: 10_000, port: undefined, firstError: new FirstError(), isMeasuring: () => false };
  const viewer = new WhepViewer(index, options);
  await viewer.open();
  while (!viewer.after.firstPacket && !viewer.failure) await delay(2);
  await viewer.leave();
}

async function srtPublish(index: number): Promise<void> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => {
    const nowUs = monotonicUs();
    const caller = new SrtCaller(
      { receiverLatencyMs: 20, senderLatencyMs: 20 },
      `#!::r=live/q${index},m=publish`,
      {
        transmit: (datagram) => socket.send(datagram, srtPort, '127.0.0.1'),
        onPayload: silent,
        onClosed: () => resolve(),
        onConnected: (connection) => connection.close(monotonicUs()),
        onFailed: () => resolve(),
      },
      nowUs,
    );
    socket.on('message', (datagram) => caller.handleDatagram(datagram, monotonicUs()));
  });
  await new Promise<void>((resolve) => setImmediate(() => socket.close(() => resolve())));
}

const lookup = createNameLookup();
const kinds: readonly [name: string, rounds: number, one: (index: number) => Promise<unknown>][] = [
  ['HTTP request', 5_000, () => tcp(port, get('/none'))],
  ['incomplete HTTP request head', 5_000, () => tcp(port, 'GET / HT', false)],
  ['HTTP-FLV viewer', 3_000, () => tcp(port, get('/live/s0.flv'))],
  ['WebSocket-FLV viewer', 3_000, () => tcp(port, get('/live/s0.flv', upgrade))],
  ['HTTP-TS viewer', 3_000, () => tcp(port, get('/live/s0.ts'))],
  ['HLS context', 3_000, () => tcp(port, get('/live/s0.m3u8'))],
  ['RTMP, no handshake', 3_000, () => tcp(rtmpPort, '\x03', false)],
  ['RTMP publisher', 3_000, publish],
  ['SRT publisher', 3_000, srtPublish],
  ['partial WebRTC call', 3_000, () => tcp(port, 'POST /rtc/v1/whep/ HTTP/1.1\r\nContent-Length: 9\r\n\r\n{', false)],
  ['WebRTC viewer, DELETE', 1_000, (index) => watchByWebrtc(index, 'delete')],
  ['WebRTC viewer, vanished', 1_000, (index) => watchByWebrtc(index, 'close')],
  ['audio converter', 20, watchConverted],
  ['name looked up', 3_000, (index) => lookup(`x${index}.invalid`)],
];

console.log(`| kind | times | ${Object.keys(count()).join(' | ')} |`);
const chosen = process.argv[3] ?? '';
for (const [name, rounds, one] of kinds.filter(([kind]) => kind.includes(chosen))) {
  const times = Math.max(1, Math.round(rounds * share));
  await one(rounds); // fills pools and compiles code
  await delay(name.endsWith('vanished') ? consentMs : restMs);
  const before = count();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < times) await one(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await delay(name.endsWith('vanished') ? consentMs : restMs);
  const after = count();
  const cells = (Object.keys(before) as (keyof typeof before)[]).map((key) => `${before[key]} → ${after[key]}`);
  console.log(`| ${name} | ${times} | ${cells.join(' | ')} |`);
}
await publisher.kill();
await engine.close();
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
await delay(restMs);
rmSync(folder, { recursive: true, force: true });
console.log(`resources open after the server was closed: ${process.getActiveResourcesInfo().join(', ') || 'none'}`);
process.exit(0);
