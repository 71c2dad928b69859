// The audio bridge with Chromium as publisher and as player. Chromium plays audio of AAC and MP3 encoders without gaps. AAC players play
// audio that Chromium sends as Opus. All combinations of publishers and players are in e2e/matrix.test.ts.
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath } from '../../../scripts/test-run/browser-path.ts';
import { type BridgeRig, record, startBridgeRig, stepsOf } from './bridge-rig.ts';
import { ffmpeg, type RunningProcess, until } from './rtmp-server.ts';

let browser: Browser;
let rig: BridgeRig;
let page: Page;
let encoder: RunningProcess | undefined;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--allow-loopback-in-peer-connection',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
});

afterAll(() => browser.close());

beforeEach(async () => {
  rig = await startBridgeRig({ hls: true });
  page = await browser.newPage();
  await page.goto(rig.http);
});

afterEach(async () => {
  encoder?.kill();
  await encoder?.done;
  encoder = undefined;
  await page.close();
  await rig.close();
});

/** Plays by WHEP until more than 50 frames and 250 audio packets have arrived, for at most 20 s. Resolves with the browser's statistics. */
function playWhep(): Promise<{ frames: number; audioEnergy: number; concealedShare: number; packets: number }> {
  return page.evaluate(async () => {
    const peer = new RTCPeerConnection();
    const video = document.querySelector('video') as HTMLVideoElement;
    const stream = new MediaStream();
    video.srcObject = stream;
    peer.ontrack = ({ track }) => stream.addTrack(track);
    for (const kind of ['video', 'audio']) peer.addTransceiver(kind, { direction: 'recvonly' });
    await peer.setLocalDescription();
    const body = peer.localDescription?.sdp ?? '';
    const answer = await fetch('/rtc/v1/whep/?app=live&stream=s', { method: 'POST', body });
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    await video.play();
    const inbound = async (kind: string) => {
      for (const report of (await peer.getStats()).values()) {
        if (report.type === 'inbound-rtp' && report.kind === kind) return report;
      }
      return {};
    };
    const deadline = performance.now() + 20_000;
    for (;;) {
      const [videoStats, audioStats] = [await inbound('video'), await inbound('audio')];
      const result = {
        frames: videoStats.framesDecoded ?? 0,
        audioEnergy: audioStats.totalAudioEnergy ?? 0,
        concealedShare: (audioStats.concealedSamples ?? 0) / (audioStats.totalSamplesReceived || 1),
        packets: audioStats.packetsReceived ?? 0,
      };
      if ((result.frames > 50 && result.packets > 250) || performance.now() > deadline) return result;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
}

function publishWhip(): Promise<number> {
  return page.evaluate(async () => {
    const media = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 360 }, audio: true });
    const peer = new RTCPeerConnection();
    for (const track of media.getTracks()) peer.addTransceiver(track, { direction: 'sendonly' });
    await peer.setLocalDescription();
    const body = peer.localDescription?.sdp ?? '';
    const answer = await fetch('/rtc/v1/whip/?app=live&stream=s', { method: 'POST', body });
    await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() });
    return answer.status;
  });
}

describe('Chromium plays over WHEP', () => {
  it.each([
    ['AAC', 'aac'],
    ['MP3', 'libmp3lame'],
  ])('%s', async (_name, codec) => {
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '25'];
    encoder = ffmpeg(...picture, ...tone, ...h264, '-c:a', codec, '-ac', '2', '-f', 'flv', `${rig.rtmp}/s`);
    await until(() => (rig.engine.streams()[0]?.frames ?? 0) > 5);
    const measured = await playWhep();
    expect(measured.frames).toBeGreaterThan(50);
    expect(measured.packets).toBeGreaterThan(250);
    expect(measured.audioEnergy).toBeGreaterThan(0.001);
    expect(measured.concealedShare).toBeLessThan(0.3);
  });
});

describe("players get Chromium's WHIP stream", () => {
  it('in even times', async () => {
    expect(await publishWhip()).toBe(201);
    await until(() => rig.engine.streams()[0]?.audioConversions?.[0]?.state === 'running', 30_000);
    const measured = await record(`${rig.http}/live/s.flv`, join(rig.folder, 'flv.mkv'), 3);
    expect(measured.codecs).toEqual(['h264', 'aac']);
    expect(measured.decodeErrors).toBe('');
    expect(measured.maxVolumeDb).toBeGreaterThan(-40);
    expect(measured.times.audio.length).toBeGreaterThan(100);
    expect(stepsOf(measured.times.video).min).toBeGreaterThan(0);
    expect(stepsOf(measured.times.audio).min).toBeGreaterThan(0);
  });
});
