// WHIP publisher: a looped decodable clip with Opus audio and a stamped SEI in every frame.
//
//   node whip-pub.ts --url 'http://127.0.0.1:28080/rtc/v1/whip/?app=live&stream=s0&secret=bench' --kbps 1000 --time 60
//
// After a PLI, the publisher skips to the next IDR frame of the clip, at most once per 300 ms; a browser would encode
// an IDR frame. The packets of a frame are sent as one burst. With `--silence 3`, the publisher prints "HEARD" for each
// received packet and exits after 3 s without a packet: over UDP it cannot detect in another way that the server has
// exited. Prints "READY 1" when it is connected and "RESULT {json}" at the end.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { framesPerSecond, makeClip, readAccessUnits, readOpusPackets } from '../lib/clip.ts';
import {
  createOffer,
  datachannel,
  deleteSession,
  mediaDescriptions,
  payloadType,
  postOffer,
  type Track,
} from '../lib/datachannel.ts';
import { packetise, readFeedback, writeRtp } from '../lib/h264-rtp.ts';
import { loopbackUrl } from '../lib/loopback.ts';
import { quantiles } from '../lib/quantiles.ts';
import { stampedSei } from '../lib/stamp.ts';
import { cpuSeconds, FirstError, printReady, printResult } from '../lib/tool-output.ts';

const maxSeconds = 900;
const connectTimeoutMs = 10_000;
const jumpPauseMs = 300;
const nackHistoryPackets = 1_024;
const videoFrameMs = 1000 / framesPerSecond;
const audioFrameMs = 20;
const source = { video: 0x1000, audio: 0x1001 } as const;

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    kbps: { type: 'string', default: '1000' },
    time: { type: 'string', default: '60' },
    silence: { type: 'string' },
  },
});
if (!values.url) {
  console.error('--url http://127.0.0.1:port/rtc/v1/whip/?app=live&stream=name');
  process.exit(2);
}
loopbackUrl(values.url);
const url = values.url;
const seconds = Math.min(Number(values.time), maxSeconds);
const clip = makeClip(Number(values.kbps), 'packet');
const pictures = readAccessUnits(clip.h264);
const sounds = readOpusPackets(clip.opus);

const tally = { connected: 0, lost: 0, packets: 0, bytes: 0, frames: 0, sendFailures: 0, nacks: 0, plis: 0, jumps: 0 };
const firstError = new FirstError();
const lateMs: number[] = [];

datachannel.initLogger('Error', (_level, message) => console.error(message));
const connection = new datachannel.PeerConnection('publisher', { iceServers: [], bindAddress: '127.0.0.1' });
const { video, audio } = mediaDescriptions('SendOnly');
video.addSSRC(source.video, 'bench', 'bench', 'video');
audio.addSSRC(source.audio, 'bench', 'bench', 'audio');
const tracks = { video: connection.addTrack(video), audio: connection.addTrack(audio) };
/** The handler chains. The library keeps no references, so this list prevents their garbage collection. */
const kept: unknown[] = [
  answerNacks(tracks.video, source.video, payloadType.video, 90_000),
  answerNacks(tracks.audio, source.audio, payloadType.audio, 48_000),
];
let wantsKeyframe = false;
let heardAt = performance.now();
tracks.video.onMessage((bytes) => {
  heardAt = performance.now();
  if (values.silence !== undefined) console.log('HEARD');
  const { nacks, keyframeRequests } = readFeedback(bytes);
  tally.nacks += nacks;
  tally.plis += keyframeRequests;
  wantsKeyframe ||= keyframeRequests > 0;
});

function answerNacks(track: Track, ssrc: number, type: number, clockRate: number): unknown[] {
  const config = new datachannel.RtpPacketizationConfig(ssrc, 'bench', type, clockRate);
  const reports = new datachannel.RtcpSrReporter(config);
  const responder = new datachannel.RtcpNackResponder(nackHistoryPackets);
  reports.addToChain(responder);
  track.setMediaHandler(reports);
  return [config, reports, responder];
}

async function open(): Promise<string | undefined> {
  const connected = new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('the WHIP publisher did not connect in time')), connectTimeoutMs);
    connection.onStateChange((state) => {
      if (state === 'connected') resolve();
      if (!/failed|closed|disconnected/.test(state)) return;
      if (tally.connected > 0 && !isEnding) tally.lost += 1;
      reject(new Error(`connection ${state}`));
    });
  });
  connected.catch(() => undefined);
  const response = await postOffer(url, await createOffer(connection), connectTimeoutMs);
  connection.setRemoteDescription(response.sdp, 'answer');
  await connected;
  while (!tracks.video.isOpen() || !tracks.audio.isOpen()) await delay(10);
  return response.location;
}

const sequence = { video: 1, audio: 1 };
let videoFrames = 0;
let audioFrames = 0;
let picture = 0;
let jumpedAt = 0;

function send(kind: 'video' | 'audio', timestamp: number, isLast: boolean, payload: Buffer): void {
  const header = { payloadType: payloadType[kind], sequence: sequence[kind]++, timestamp, ssrc: source[kind], isLast };
  const packet = writeRtp(header, payload);
  tally.packets += 1;
  tally.bytes += packet.length;
  try {
    if (!tracks[kind].sendMessageBinary(packet)) tally.sendFailures += 1;
  } catch (error) {
    tally.sendFailures += 1;
    firstError.note(error);
  }
}

function sendFrame(): void {
  if (wantsKeyframe && performance.now() - jumpedAt > jumpPauseMs) jumpToKeyframe();
  const { parameterSets, slices } = pictures[picture]!;
  const sliceBytes = slices.reduce((sum, { length }) => sum + length, 0);
  const payloads = packetise([...parameterSets, stampedSei(videoFrames, sliceBytes), ...slices]);
  const timestamp = Math.round((videoFrames * 90_000) / framesPerSecond);
  for (const [index, payload] of payloads.entries()) send('video', timestamp, index === payloads.length - 1, payload);
  tally.frames += 1;
  videoFrames += 1;
  picture = (picture + 1) % pictures.length;
}

function jumpToKeyframe(): void {
  wantsKeyframe = false;
  jumpedAt = performance.now();
  if (pictures[picture]!.isKey) return;
  while (!pictures[picture]!.isKey) picture = (picture + 1) % pictures.length;
  tally.jumps += 1;
}

function sendSound(): void {
  send('audio', audioFrames * 960, audioFrames === 0, sounds[audioFrames % sounds.length]!);
  audioFrames += 1;
}

let startedAt = 0;
const silenceMs = values.silence === undefined ? Number.POSITIVE_INFINITY : Number(values.silence) * 1000;
function loop(): void {
  if (performance.now() - heardAt > silenceMs) return void finish();
  for (const now = performance.now(); ; ) {
    const videoAt = startedAt + videoFrames * videoFrameMs;
    const audioAt = startedAt + audioFrames * audioFrameMs;
    const due = Math.min(videoAt, audioAt);
    if (due > now) {
      setTimeout(loop, Math.max(0, due - performance.now()));
      return;
    }
    lateMs.push(now - due);
    if (videoAt <= audioAt) sendFrame();
    else sendSound();
  }
}

let isEnding = false;
let session: string | undefined;
async function finish(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  const runMs = performance.now() - startedAt;
  printResult({
    ...tally,
    firstError: firstError.text,
    kbps: startedAt ? (tally.bytes * 8) / runMs : 0,
    lateMs: quantiles(lateMs),
    handlers: kept.length,
    cpu: cpuSeconds(),
  });
  await deleteSession(session);
  connection.close();
  setTimeout(() => process.exit(0), 200);
}
process.on('SIGTERM', () => void finish());
process.on('SIGINT', () => void finish());

try {
  session = await open();
  tally.connected = 1;
  startedAt = performance.now();
  heardAt = startedAt;
  loop();
  setTimeout(() => void finish(), seconds * 1000);
} catch (error) {
  firstError.note(error);
  setTimeout(() => void finish(), 100);
}
printReady(tally.connected);
