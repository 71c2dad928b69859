// Chromium offers its camera in three simulcast layers. The stream carries one layer, with one size and steady timestamps.
import type { VideoTrack } from '@srs-stack/media/track.ts';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { browserPath } from '../../../scripts/test-run/browser-path.ts';
import { RecordingReader } from '../src/testing/recorders.ts';
import { startRtc } from './rtc-rig.ts';

const key = { vhost: '__defaultVhost__', app: 'live', stream: 's' };
const frames = 100;
/**
 * Longest step between two frames, milliseconds. A busy browser drops frames, but the timestamps of two layers differ by seconds or hours.
 */
const longestStepMs = 1_000;

let browser: Browser;
beforeAll(async () => {
  const devices = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];
  const quiet = ['--no-sandbox', '--disable-gpu', '--allow-loopback-in-peer-connection'];
  browser = await chromium.launch({ executablePath: browserPath, args: [...devices, ...quiet] });
});
afterAll(() => browser.close());

/** Runs in the page. `claims`: changes the answer to accept all layers. Some encoders send all layers whatever the answer accepts. */
async function publish(claims: boolean): Promise<void> {
  const media = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: true });
  const [video, audio] = [media.getVideoTracks()[0]!, media.getAudioTracks()[0]!];
  const peer = new RTCPeerConnection();
  Object.assign(window, { peer });
  // The sum of the bitrates is below a browser's initial bitrate, so that the browser sends all layers.
  const layer = (rid: string, scaleResolutionDownBy: number, maxBitrate: number) => ({
    ...{ rid, scaleResolutionDownBy, maxBitrate },
  });
  const sendEncodings = [layer('q', 4, 40_000), layer('h', 2, 60_000), layer('f', 1, 120_000)];
  const { sender } = peer.addTransceiver(video, { direction: 'sendonly', sendEncodings });
  peer.addTransceiver(audio, { direction: 'sendonly' });
  // The size of a layer does not adapt to a busy processor.
  const parameters = { ...sender.getParameters(), degradationPreference: 'maintain-resolution' as const };
  await sender.setParameters(parameters);
  await peer.setLocalDescription();
  const offer = peer.localDescription!.sdp;
  if (!offer.includes('a=simulcast:send q;h;f')) throw new Error(`no simulcast is offered:\n${offer}`);
  const response = await fetch('/rtc/v1/whip/?app=live&stream=s', { method: 'POST', body: offer });
  const answer = await response.text();
  if (response.status !== 201) throw new Error(`${response.status} ${answer}`);
  const layerName = /^a=extmap:\d+ urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id\r\n/m.exec(offer)![0];
  const claim = `${layerName}a=rid:q recv\r\na=rid:h recv\r\na=rid:f recv\r\na=simulcast:recv q;h;f\r\n`;
  const sections = answer.split(/^(?=m=)/m);
  const sdp = sections.map((section) => (claims && section.startsWith('m=video') ? section + claim : section)).join('');
  await peer.setRemoteDescription({ type: 'answer', sdp });
}

/** Runs in the page. Returns the layers that have sent frames. */
async function layersSent(): Promise<string[]> {
  const { peer } = window as unknown as { peer: RTCPeerConnection };
  const reports = [...(await peer.getStats()).values()];
  return reports.filter(({ type, kind, framesSent }) => type === 'outbound-rtp' && kind === 'video' && framesSent > 0);
}

it.each([
  ['sends one layer, as the answer requires', false],
  ['sends several layers in spite of the answer', true],
])('is carried with one size and steady times when it %s', async (_name, claims) => {
  const rig = await startRtc();
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    await rig.close();
  });
  // Cameras require a secure context, so the page gets a loopback origin.
  await page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(`http://127.0.0.1:${rig.port}/`);
  const ticker = setInterval(() => rig.hub.tick(performance.now()), 100);
  onTestFinished(() => clearInterval(ticker));
  await page.evaluate(publish, claims);
  await vi.waitUntil(() => rig.hub.isPublished(key));
  const reader = new RecordingReader();
  rig.hub.attach(key, reader);
  const video = () => reader.packets.filter(({ track }) => track.kind === 'video');
  await vi.waitUntil(() => video().length >= frames);
  const sent = (await page.evaluate(layersSent)).length;
  if (claims) expect(sent).toBeGreaterThan(1);
  else expect(sent).toBe(1);
  expect(new Set(video().map(({ track }) => (track as VideoTrack).width)).size).toBe(1);
  const times = reader.times('video');
  const steps = times.slice(1).map((time, at) => time - times[at]!);
  expect(Math.min(...steps)).toBeGreaterThan(0);
  expect(Math.max(...steps)).toBeLessThan(longestStepMs);
});
