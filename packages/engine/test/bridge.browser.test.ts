// Chromium at both ends of the audio bridge: it hears what encoders publish as AAC and MP3, and players of AAC hear what it
// publishes as Opus.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type BridgeRig, type Heard, listenTo, record, startBridgeRig, stepsOf } from './bridge-rig.ts';
import { FlvReader } from './flv-rig.ts';
import { ffmpeg, type RunningProcess, until } from './rtmp-server.ts';

let browser: Browser;
let rig: BridgeRig;
let page: Page;
let encoder: RunningProcess | undefined;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
}, 60_000);

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

/** Plays by WHEP until both tracks have arrived and sound was heard; resolves with what the browser counted. */
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
      const [picture, sound] = [await inbound('video'), await inbound('audio')];
      const result = {
        frames: picture.framesDecoded ?? 0,
        audioEnergy: sound.totalAudioEnergy ?? 0,
        concealedShare: (sound.concealedSamples ?? 0) / (sound.totalSamplesReceived || 1),
        packets: sound.packetsReceived ?? 0,
      };
      if ((result.frames > 50 && result.packets > 250) || performance.now() > deadline) return result;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
}

/** Publishes the fake camera and the fake microphone, which beeps. */
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

describe('Chromium over WHEP hears', () => {
  it.each([
    ['AAC over RTMP', 'aac', 'rtmp'],
    ['MP3 over RTMP', 'libmp3lame', 'rtmp'],
    ['AAC over SRT', 'aac', 'srt'],
    ['Opus over SRT', 'libopus', 'srt'],
  ] as const)('%s', { timeout: 60_000 }, async (_name, codec, over) => {
    const target =
      over === 'rtmp' ? ['-f', 'flv', `${rig.rtmp}/s`] : ['-f', 'mpegts', rig.srt('#!::r=live/s,m=publish')];
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000'];
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '25'];
    encoder = ffmpeg(...picture, ...tone, ...h264, '-c:a', codec, '-ac', '2', ...target);
    await until(() => (rig.engine.streams()[0]?.frames ?? 0) > 5);
    const heard = await playWhep();
    expect(heard.frames).toBeGreaterThan(50);
    expect(heard.packets).toBeGreaterThan(250);
    expect(heard.audioEnergy).toBeGreaterThan(0.001);
    expect(heard.concealedShare).toBeLessThan(0.3);
  });

  it('nothing of HEVC: the answer says why', { timeout: 60_000 }, async () => {
    const h265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:keyint=25:bframes=0'];
    const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'];
    encoder = ffmpeg(...picture, ...h265, '-f', 'mpegts', rig.srt('#!::r=live/s,m=publish'));
    await until(() => (rig.engine.streams()[0]?.frames ?? 0) > 5);
    const answer = await fetch(`${rig.http}/rtc/v1/whep/?app=live&stream=s`, { method: 'POST', body: 'v=0' });
    expect(answer.status).toBe(406);
    expect(await answer.text()).toContain('h265');
  });
});

describe('players hear Chromium over WHIP', () => {
  const record3s = (player: string): Promise<Heard> => {
    const file = join(rig.folder, `${player}.mkv`);
    if (player === 'ws-flv') return recordWebSocket(join(rig.folder, 'ws.flv'));
    if (player === 'rtmp') return record(`${rig.rtmp}/s`, file, 3);
    if (player === 'srt') return record(rig.srt('#!::r=live/s,m=request'), file, 3);
    return record(`${rig.http}/live/s.${player === 'hls' ? 'm3u8' : player}`, file, 3);
  };

  async function recordWebSocket(file: string): Promise<Heard> {
    const socket = new WebSocket(`${rig.http.replace('http', 'ws')}/live/s.flv`);
    const sink = createWriteStream(file);
    const flv = new FlvReader();
    socket.on('message', (data: Buffer) => {
      sink.write(data);
      flv.push(data);
    });
    await until(() => flv.media(8).length > 140 && flv.videoTimes.length > 20, 30_000);
    socket.terminate();
    await new Promise((resolve) => sink.end(resolve));
    return listenTo(file);
  }

  it.each(['flv', 'ws-flv', 'rtmp', 'ts', 'hls', 'srt'])('over %s', { timeout: 90_000 }, async (player) => {
    expect(await publishWhip()).toBe(201);
    await until(() => (rig.engine.streams()[0]?.frames ?? 0) > 10, 30_000);
    // The encoder sends no keyframe of its own for long; HLS cuts at keyframes.
    const heard = await record3s(player);
    expect(heard.codecs).toEqual(['h264', player === 'srt' ? 'opus' : 'aac']);
    expect(heard.complaints).toBe('');
    expect(heard.maxVolumeDb).toBeGreaterThan(-40);
    expect(heard.times.video.length).toBeGreaterThan(20);
    expect(heard.times.audio.length).toBeGreaterThan(100);
    expect(stepsOf(heard.times.video).min).toBeGreaterThan(0);
    expect(stepsOf(heard.times.audio).min).toBeGreaterThan(0);
    expect(stepsOf(heard.times.audio).max).toBeLessThan(60);
  });
});
