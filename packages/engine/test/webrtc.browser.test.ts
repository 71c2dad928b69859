// Chromium publishes by WHIP and plays by WHEP. Frames are counted by the browser.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath } from '../../../scripts/test-run/browser-path.ts';
import type { RtcConfig } from '../src/engine-config.ts';
import { StreamHub } from '../src/hub/stream-hub.ts';
import { RtcListener } from '../src/listeners/rtc-listener.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { Refusal, SessionInfo } from '../src/session-info.ts';
import { openGate } from './gate-rig.ts';
import { testConfig, until } from './rtmp-server.ts';

const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };
const clock = () => performance.now();
const key = { vhost: defaultVhost, app: 'live', stream: 's' };

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--allow-loopback-in-peer-connection',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });
});

afterAll(() => browser.close());

interface World {
  readonly hub: StreamHub;
  readonly url: string;
  readonly refusals: Refusal[];
  readonly ended: SessionInfo[];
  close(): Promise<void>;
}

async function startRtc(rtc: Partial<RtcConfig> = {}): Promise<World> {
  const hub = new StreamHub({ config: testConfig, log, clock });
  const ended: SessionInfo[] = [];
  const ports: EnginePorts = {
    log,
    isValidStream: ({ stream }) => /^[\w.-]+$/.test(stream),
    authorizePublish: async ({ param }) =>
      param.includes('secret=X') ? { allowed: true } : { allowed: false, reason: 'publish-secret-wrong', detail: 'no' },
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: (session) => ended.push(session),
    onStop: (session) => ended.push(session),
    onHlsSegment: silent,
  };
  const { gate, refusals } = openGate(hub, ports);
  const listener = new RtcListener({
    hub,
    ports,
    gate,
    refusals,
    rtc: { host: '127.0.0.1', port: 0, candidates: [], ...rtc },
    gopCache: testConfig.gopCache,
    clock,
    wallClock: Date.now,
    memoryBytes: 8 * 1024 ** 3,
  });
  await listener.listen();
  const ticker = setInterval(() => hub.tick(clock()), 100);
  const server: Server = createServer((request, response) => {
    if (!listener.handleRequest(request, response, '127.0.0.1')) response.end('<!doctype html><video></video>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    hub,
    refusals: refusals.inOrder,
    ended,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(ticker);
      hub.close();
      listener.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let world: World;
let pages: Page[];

beforeEach(async () => {
  world = await startRtc();
  pages = [];
});

afterEach(async () => {
  await Promise.all(pages.map((page) => page.close()));
  await world.close();
});

async function openPage(prepare: () => void = () => {}): Promise<Page> {
  const page = await browser.newPage();
  pages.push(page);
  await page.addInitScript(prepare);
  await page.goto(world.url);
  return page;
}

/** Runs in the page: makes the server's UDP port unreachable. */
function withoutUdp(): void {
  type SetDescription = (description: RTCSessionDescriptionInit) => Promise<void>;
  const prototype = RTCPeerConnection.prototype as { setRemoteDescription: SetDescription };
  const { setRemoteDescription } = prototype;
  prototype.setRemoteDescription = function ({ type, sdp = '' }) {
    return setRemoteDescription.call(this, { type, sdp: sdp.replace(/^a=candidate:.* udp .*\r\n/gm, '') });
  };
}

/** Publishes the fake camera and microphone. Resolves with the status and the `Location` of the response. */
function publish(page: Page, query: string): Promise<{ status: number; location: string | null; text: string }> {
  return page.evaluate(async (path) => {
    const media = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 360 }, audio: true });
    const peer = new RTCPeerConnection();
    Object.assign(window, { peer });
    for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly' });
    await peer.setLocalDescription();
    const answer = await fetch(path, { method: 'POST', body: peer.localDescription?.sdp ?? '' });
    const text = await answer.text();
    if (answer.ok) await peer.setRemoteDescription({ type: 'answer', sdp: text });
    return { status: answer.status, location: answer.headers.get('location'), text };
  }, `/rtc/v1/whip/?app=live&stream=s${query}`);
}

function protocolInUse(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { peer } = window as unknown as { peer: RTCPeerConnection };
    for (;;) {
      const reports = await peer.getStats();
      const transport = [...reports.values()].find(({ selectedCandidatePairId }) => selectedCandidatePairId);
      const pair = reports.get(transport?.selectedCandidatePairId);
      if (pair) return reports.get(pair.localCandidateId).protocol;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
}

function receiverReports(page: Page): Promise<{ kind: string; lost: number; hasRoundTrip: boolean }[]> {
  return page.evaluate(async () => {
    const { peer } = window as unknown as { peer: RTCPeerConnection };
    for (;;) {
      const reports = [...(await peer.getStats()).values()].filter(({ type }) => type === 'remote-inbound-rtp');
      const received = reports.map(({ kind, packetsLost, roundTripTime }) => ({
        ...{ kind, lost: packetsLost, hasRoundTrip: roundTripTime !== undefined },
      }));
      if (received.length === 2 && received.every(({ hasRoundTrip }) => hasRoundTrip))
        return received.toSorted((one, other) => one.kind.localeCompare(other.kind));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
}

/** Plays until 30 frames were shown. Resolves with properties of the shown media. */
function play(page: Page): Promise<{ frames: number; width: number; audioPackets: number; isBlack: boolean }> {
  return page.evaluate(async () => {
    const peer = new RTCPeerConnection();
    const video = document.querySelector('video') as HTMLVideoElement;
    const stream = new MediaStream();
    video.srcObject = stream;
    video.muted = true;
    peer.ontrack = ({ track }) => stream.addTrack(track);
    peer.addTransceiver('video', { direction: 'recvonly' });
    peer.addTransceiver('audio', { direction: 'recvonly' });
    await peer.setLocalDescription();
    const answer = await fetch('/rtc/v1/whep/?app=live&stream=s', {
      method: 'POST',
      body: peer.localDescription?.sdp ?? '',
    });
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    await video.play();
    const inbound = async (kind: string) => {
      for (const report of (await peer.getStats()).values()) {
        if (report.type === 'inbound-rtp' && report.kind === kind) return report;
      }
      return {};
    };
    let frames = 0;
    await new Promise<void>((resolve) => {
      const onFrame = (): void => {
        if (++frames >= 30) resolve();
        else video.requestVideoFrameCallback(onFrame);
      };
      video.requestVideoFrameCallback(onFrame);
    });
    const canvas = new OffscreenCanvas(64, 36);
    const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
    context.drawImage(video, 0, 0, 64, 36);
    const pixels = context.getImageData(0, 0, 64, 36).data;
    const isBlack = pixels.every((value, index) => index % 4 === 3 || value < 16);
    const audio = await inbound('audio');
    return { frames, width: video.videoWidth, audioPackets: audio.packetsReceived ?? 0, isBlack };
  });
}

describe('Chromium', () => {
  it('publishes its camera, and another page plays it with video and audio', async () => {
    const publisher = await openPage();
    expect((await publish(publisher, '&secret=X')).status).toBe(201);
    await until(() => world.hub.find(key)?.present.audio !== undefined && world.hub.find(key)?.video !== undefined);
    const snapshot = world.hub.streams(clock())[0];
    expect(snapshot).toMatchObject({ video: { codec: 'h264' }, audio: { codec: 'opus', channels: 2 } });
    const result = await play(await openPage());
    expect(result.frames).toBe(30);
    expect(result.width).toBeGreaterThanOrEqual(320);
    expect(result.isBlack).toBe(false);
    expect(result.audioPackets).toBeGreaterThan(20);
    expect(world.hub.clients(clock()).map(({ session }) => session.type)).toEqual(['rtc-publish', 'rtc-play']);
  });

  it('does so with the library too, the fallback for the built-in transport', async () => {
    await world.close();
    world = await startRtc({ transport: 'node-datachannel' });
    expect((await publish(await openPage(), '&secret=X')).status).toBe(201);
    await until(() => world.hub.find(key)?.present.audio !== undefined && world.hub.find(key)?.video !== undefined);
    const result = await play(await openPage());
    expect(result).toMatchObject({ frames: 30, isBlack: false });
    expect(result.audioPackets).toBeGreaterThan(20);
  });

  it('does so over TCP where its network blocks UDP', async () => {
    await world.close();
    world = await startRtc({ tcp: { host: '127.0.0.1', port: 0 } });
    const [publisher, viewer] = [await openPage(withoutUdp), await openPage(withoutUdp)];
    expect((await publish(publisher, '&secret=X')).status).toBe(201);
    await until(() => world.hub.find(key)?.present.audio !== undefined && world.hub.find(key)?.video !== undefined);
    const result = await play(viewer);
    expect(result).toMatchObject({ frames: 30, isBlack: false });
    expect(result.audioPackets).toBeGreaterThan(20);
    expect(await protocolInUse(publisher)).toBe('tcp');
    await until(() => world.hub.clients(clock()).every(({ detail }) => Number(detail?.rttMs) > 0));
  });

  it('responds to the reports by which both ends measure their round trip', async () => {
    const publisher = await openPage();
    expect((await publish(publisher, '&secret=X')).status).toBe(201);
    await until(() => world.hub.find(key)?.video !== undefined);
    const roundTrips = () => world.hub.clients(clock()).map(({ detail }) => Number(detail?.rttMs));
    const page = await openPage();
    await play(page);
    // The reference in the page keeps the connection open.
    await until(() => roundTrips().length === 2 && roundTrips().every((rttMs) => rttMs > 0));
    expect(Math.max(...roundTrips())).toBeLessThan(30_000);
  });

  it('as publisher gets receiver reports, and measures its round trip by them', async () => {
    const publisher = await openPage();
    expect((await publish(publisher, '&secret=X')).status).toBe(201);
    const [audio, video] = await receiverReports(publisher);
    expect(audio).toMatchObject({ kind: 'audio', lost: 0 });
    expect(video).toMatchObject({ kind: 'video', lost: 0 });
  });

  it('with a wrong secret is refused, with the reason in the response', async () => {
    const answer = await publish(await openPage(), '&secret=wrong');
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toMatchObject({ data: { name: 'publish-secret-wrong' } });
    expect(world.refusals).toMatchObject([{ protocol: 'rtc', action: 'publish', stream: 's' }]);
    expect(world.hub.isPublished(key)).toBe(false);
  });

  it('ends its session by DELETE, only with its own token', async () => {
    const { location } = await publish(await openPage(), '&secret=X');
    await until(() => world.hub.find(key)?.stats.hasMedia === true);
    const wrong = new URL(location ?? '', world.url);
    wrong.searchParams.set('token', 'guess');
    expect((await fetch(wrong, { method: 'DELETE' })).status).toBe(403);
    expect(world.hub.isPublished(key)).toBe(true);
    expect((await fetch(new URL(location ?? '', world.url), { method: 'DELETE' })).status).toBe(200);
    expect(world.hub.isPublished(key)).toBe(false);
    expect(world.ended.map(({ type }) => type)).toEqual(['rtc-publish']);
  });
});

describe('unusable offers', () => {
  const post = (body: string) => fetch(`${world.url}/rtc/v1/whep/?app=live&stream=s`, { method: 'POST', body });

  it.each([
    ['no SDP', 'hello'],
    ['no media', 'v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n'],
    [
      'no usable codec',
      'v=0\r\na=group:BUNDLE 0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:0\r\na=rtcp-mux\r\na=recvonly\r\na=rtpmap:96 VP8/90000\r\n',
    ],
  ])('%s gets a reason', async (_name, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(406);
    expect(((await answer.json()) as { data: { message: string } }).data.message).not.toBe('');
  });

  it.each(['AV1', 'VP8', 'H265'])(
    '%s from an encoder that also sends audio is refused with the remedy',
    async (codec) => {
      const sections = [
        `m=video 9 UDP/TLS/RTP/SAVPF 96 97\r\na=mid:0\r\na=rtcp-mux\r\na=sendonly\r\na=rtpmap:96 ${codec}/90000\r\na=rtpmap:97 rtx/90000`,
        'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:1\r\na=rtcp-mux\r\na=sendonly\r\na=rtpmap:111 opus/48000/2',
      ];
      const body = `v=0\r\na=group:BUNDLE 0 1\r\n${sections.join('\r\n')}\r\n`;
      const answer = await fetch(`${world.url}/rtc/v1/whip/?app=live&stream=s&secret=X`, { method: 'POST', body });
      expect(answer.status).toBe(406);
      const { data } = (await answer.json()) as { data: { name: string; message: string } };
      expect(data).toEqual({
        name: 'codec-unsupported',
        message: `video is offered in ${codec}: set the encoder to H.264`,
      });
      expect(world.refusals).toMatchObject([{ action: 'publish', reason: 'codec-unsupported', detail: data.message }]);
      expect(world.hub.isPublished(key)).toBe(false);
    },
  );

  it('longer than any browser sends are rejected', async () => {
    expect((await post('v=0'.padEnd(100_000, 'x'))).status).toBe(413);
  });
});
