// Timeouts of RTSP sessions, with a clock that the test controls.
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { StreamHub } from '../src/hub/stream-hub.ts';
import { RtspListener } from '../src/listeners/rtsp-listener.ts';
import type { EnginePorts } from '../src/ports.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { openGate } from './gate-rig.ts';
import { testConfig, until } from './rtmp-server.ts';
import { interleaved, opusDescription, opusPacket, RtspPeer } from './rtsp-peer.ts';

let skippedMs = 0;
let stoppedAtMs: number | undefined;
let hub: StreamHub;
let listener: RtspListener;
let peer: RtspPeer;
let port: number;
const clock = () => stoppedAtMs ?? performance.now() + skippedMs;

beforeEach(async () => {
  skippedMs = 0;
  stoppedAtMs = undefined;
  const log = recordingLog();
  const listen = { host: '127.0.0.1', port: 0 };
  const config = { ...testConfig, rtsp: listen };
  const ports: EnginePorts = {
    log,
    isValidStream: () => true,
    authorizePublish: async () => ({ allowed: true }),
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: () => {},
    onStop: () => {},
    onHlsSegment: () => {},
  };
  hub = new StreamHub({ config, log, clock });
  const { gate, refusals } = openGate(hub, ports, config);
  listener = new RtspListener({ hub, ports, config, rtsp: listen, gate, refusals, clock, wallClock: Date.now });
  port = await listener.listen();
  peer = await RtspPeer.connect(port);
});

afterEach(async () => {
  peer.socket.destroy();
  await listener.close();
  hub.close();
});

const bytesReceived = () => hub.streams(clock())[0]?.receivedBytes ?? 0;

/** Sends bytes, then a request. The response to the request shows that the server has read the bytes. */
async function statusAfter(bytes: Buffer): Promise<number> {
  peer.socket.write(bytes);
  return (await peer.request('OPTIONS', '*')).status;
}

it('an incomplete request times out, even if a byte arrives now and then', async () => {
  peer.socket.write('OPTIONS * RTSP/1.0\r\nX: ');
  for (let count = 0; count < 4 && !peer.socket.destroyed; count++) {
    peer.socket.write('x');
    await new Promise(setImmediate);
    skippedMs += 10_000;
  }
  await peer.closed;
});

it('a connection without a request times out', async () => {
  expect((await peer.request('OPTIONS', '*')).status).toBe(200);
  skippedMs += 31_000;
  await peer.closed;
});

it('a publisher whose reads always end inside a frame continues', async () => {
  const url = 'rtsp://h/live/s';
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record' };
  expect((await peer.request('ANNOUNCE', url, {}, opusDescription)).status).toBe(200);
  expect((await peer.request('SETUP', `${url}/streamid=0`, transport)).status).toBe(200);
  expect((await peer.request('RECORD', url)).status).toBe(200);
  const media = Buffer.concat(Array.from({ length: 60 }, (_, number) => interleaved(0, opusPacket(number))));
  const step = opusPacket(0).length + 4;
  const bystander = await RtspPeer.connect(port);
  peer.socket.write(media.subarray(0, step + 10));
  for (let number = 1; number < 50; number++) {
    await until(() => bytesReceived() >= number * opusPacket(0).length);
    skippedMs += 1_000;
    hub.tick(clock());
    peer.socket.write(media.subarray(number * step + 10, (number + 1) * step + 10));
  }
  // The `tick` that ended the bystander has also checked the publisher.
  await bystander.closed;
  expect(await statusAfter(media.subarray(50 * step + 10))).toBe(200);
});

it('a player that alternates pause and play gets the stream at most once a second', async () => {
  const url = 'rtsp://h/live/s';
  await publishOpus(url);
  const viewer = await RtspPeer.connect(port);
  onTestFinished(() => void viewer.socket.destroy());
  expect((await viewer.request('DESCRIBE', url)).status).toBe(200);
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=2-3' };
  expect((await viewer.request('SETUP', `${url}/trackID=1`, transport)).status).toBe(200);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  stoppedAtMs = clock();
  expect((await viewer.request('PLAY', url)).status).toBe(200);
  expect((await viewer.request('PAUSE', url)).status).toBe(200);
  viewer.send('PLAY', url);
  let hasResponse = false;
  const nextResponse = viewer.nextResponse().finally(() => {
    hasResponse = true;
  });
  // After these round trips, the server has handled the PLAY request.
  for (let count = 0; count < 5; count++) expect((await peer.request('OPTIONS', '*')).status).toBe(200);
  expect(hasResponse).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect((await nextResponse).status).toBe(200);
});

async function publishOpus(url: string): Promise<void> {
  const transport = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record' };
  expect((await peer.request('ANNOUNCE', url, {}, opusDescription)).status).toBe(200);
  expect((await peer.request('SETUP', `${url}/streamid=0`, transport)).status).toBe(200);
  expect((await peer.request('RECORD', url)).status).toBe(200);
  for (let number = 0; number < 10; number++) peer.socket.write(interleaved(0, opusPacket(number)));
  await until(() => hub.streams(clock())[0]?.audio !== undefined);
}
