// libsrt (FFmpeg, GStreamer) publishes to and plays from the engine's SRT listener.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SrtConfig } from '../src/engine-config.ts';
import { StreamHub } from '../src/hub/stream-hub.ts';
import { createSrtListener, type EngineSrtListener } from '../src/listeners/srt-listener.ts';
import type { EnginePorts } from '../src/ports.ts';
import type { SessionInfo } from '../src/session-info.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { audioArgs, makeClip, packetsOf, videoArgs } from './clips.ts';
import { openGate } from './gate-rig.ts';
import { ffmpeg, start, testConfig, until } from './rtmp-server.ts';

const silent = () => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };
const clock = () => performance.now();
const key = { vhost: defaultVhost, app: 'live', stream: 's' };

let folder: string;
let close: () => void = silent;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'srt-engine-'));
});

afterEach(async () => {
  close();
  await rm(folder, { recursive: true });
});

async function startSrt(srt: Partial<SrtConfig> = {}, ports: Partial<EnginePorts> = {}) {
  const hub = new StreamHub({ config: testConfig, log, clock });
  const ended: SessionInfo[] = [];
  const allPorts: EnginePorts = {
    log,
    isValidStream: ({ app, stream }) => /^[\w/.-]+$/.test(app) && /^[\w.-]+$/.test(stream),
    authorizePublish: async ({ param }) =>
      param === 'secret=X'
        ? { allowed: true }
        : { allowed: false, reason: 'publish-secret-wrong', detail: 'the publish secret is wrong' },
    authorizePlay: async () => ({ allowed: true }),
    onUnpublish: (session) => ended.push(session),
    onStop: (session) => ended.push(session),
    onHlsSegment: silent,
    ...ports,
  };
  const { gate, refusals } = openGate(hub, allPorts);
  const listener: EngineSrtListener = createSrtListener({
    hub,
    ports: allPorts,
    gate,
    refusals,
    // A latency of one second, so that packets are not dropped on a busy machine.
    srt: { host: '127.0.0.1', port: 0, latencyMs: 1_000, ...srt },
    gopCache: testConfig.gopCache,
    clock,
  });
  const port = await listener.listen();
  const ticker = setInterval(() => hub.tick(clock()), 100);
  close = () => {
    clearInterval(ticker);
    hub.close();
    listener.close();
  };
  const url = (streamId: string, query = '') => `srt://127.0.0.1:${port}?mode=caller&streamid=${streamId}${query}`;
  return { hub, refusals: refusals.inOrder, ended, url };
}

const publishId = '#!::r=live/s,secret=X,m=publish';
const playId = '#!::r=live/s,m=request';

function collect(hub: StreamHub): Packet[] {
  const packets: Packet[] = [];
  hub.attach(key, { name: 'test', onPacket: (packet) => packets.push(packet), onEnd: silent });
  return packets;
}

describe('a publisher over SRT', () => {
  it.each([
    ['B-frames and stereo AAC', [videoArgs, audioArgs('stereo', 44_100)], 'h264', 'aac'],
    [
      'HEVC',
      [
        {
          input: videoArgs.input,
          output: ['-c:v', 'libx265', '-x265-params', 'log-level=none:keyint=25', '-preset', 'ultrafast'],
        },
      ],
      'h265',
      undefined,
    ],
    ['Opus', [videoArgs, { ...audioArgs('stereo', 48_000), output: ['-c:a', 'libopus'] }], 'h264', 'opus'],
    ['MP2', [videoArgs, { ...audioArgs('stereo', 48_000), output: ['-c:a', 'mp2'] }], 'h264', 'mp2'],
    ['AC-3', [videoArgs, { ...audioArgs('stereo', 48_000), output: ['-c:a', 'ac3'] }], 'h264', 'ac3'],
    ['E-AC-3', [videoArgs, { ...audioArgs('5.1', 48_000), output: ['-c:a', 'eac3'] }], 'h264', 'eac3'],
  ])('%s reaches the hub complete', async (_name, parts, video, audio) => {
    const { hub, ended, url } = await startSrt({ latencyMs: 4_000 }); // so that no late packet is dropped
    const clip = join(folder, 'clip.mkv');
    await makeTsClip(clip, parts, 3);
    const packets = collect(hub);
    const published = await ffmpeg('-re', '-i', clip, '-c', 'copy', '-f', 'mpegts', url(publishId)).done;
    expect(published).toMatchObject({ code: 0, stderr: '' });
    await until(() => ended.length === 1);
    const frames = packets.filter(({ track }) => track.kind === 'video');
    const sent = (await packetsOf(clip)).filter(({ kind }) => kind === 'video');
    expect(frames.length).toBe(sent.length);
    expect(frames[0]).toMatchObject({ keyframe: true, track: { codec: video, width: 320, height: 180 } });
    expect(packets.find(({ track }) => track.kind === 'audio')?.track.codec).toBe(audio);
    const times = frames.map(({ dtsMs }) => dtsMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('without a mode is recognised by its secret; without a secret it plays, and is disconnected when it sends', async () => {
    const { hub, ended, refusals, url } = await startSrt();
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs], 2);
    const publish = (streamId: string) =>
      ffmpeg('-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-f', 'mpegts', url(streamId));
    const publisher = publish('live/s?secret=X');
    await until(() => (hub.find(key)?.mediaMs ?? 0) > 500);
    const player = await ffmpeg('-i', url('live/s'), '-t', '0.5', '-c', 'copy', '-f', 'null', '-').done;
    expect(player.code).toBe(0);
    const other = await publish('live/s?secret=X').done;
    expect(other.code).not.toBe(0);
    expect(hub.isPublished(key)).toBe(true);
    expect(refusals).toEqual([]);
    publisher.kill();
    await publisher.done;
    await until(() => ended.some(({ type }) => type === 'srt-publish'));
  });

  it('with a wrong secret is refused, with the reason recorded', async () => {
    const { hub, refusals, url } = await startSrt();
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs], 1);
    const streamId = '#!::r=live/s,secret=wrong,m=publish';
    const published = await ffmpeg('-i', clip, '-c', 'copy', '-f', 'mpegts', url(streamId)).done;
    expect(published.code).not.toBe(0);
    expect(refusals).toMatchObject([
      { protocol: 'srt', action: 'publish', app: 'live', stream: 's', reason: 'publish-secret-wrong' },
    ]);
    expect(hub.isPublished(key)).toBe(false);
  });

  it('with a wrong passphrase is refused, with the stream recorded', async () => {
    const { refusals, url } = await startSrt({ passphrase: 'correct-horse-battery' });
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs], 1);
    const query = '&passphrase=wrong-horse-battery';
    const published = await ffmpeg('-i', clip, '-c', 'copy', '-f', 'mpegts', url(publishId, query)).done;
    expect(published.code).not.toBe(0);
    expect(refusals).toMatchObject([{ app: 'live', stream: 's', reason: 'passphrase-wrong' }]);
  });
});

describe('an encoder whose media is partly unsupported', () => {
  const frames = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25', '-f', 'lavfi', '-i', 'sine=440'];
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25'];
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '1:a'];

  it.each([
    ['DTS sound', [...h264, '-c:a', 'dca', '-strict', '-2'], { unsupportedAudio: 'DTS' }],
    ['a second audio track', [...maps, ...h264, '-c:a', 'aac'], { extraAudioTracks: 1 }],
    ['MPEG-2 video', ['-c:v', 'mpeg2video', '-c:a', 'aac'], { unsupportedVideo: 'MPEG-2' }],
  ])(
    'with %s is reported in the log and in the details of the stream; the rest continues',
    async (_name, codecs, named) => {
      const recorded = recordingLog();
      const { hub, url } = await startSrt({}, { log: recorded });
      const publisher = ffmpeg(...frames, ...codecs, '-f', 'mpegts', url(publishId));
      const detail = () => hub.streams(clock())[0]?.publisherDetail;
      await until(() => Object.keys(named).every((name) => detail()?.[name] !== undefined));
      expect(detail()).toMatchObject({ ...named, rttMs: expect.any(Number) });
      const line = recorded.lines.indexOf('warn media in an unsupported format from the encoder is dropped');
      expect(recorded.fields[line]).toMatchObject({ ...named, stream: 's', remedy: expect.stringContaining('audio') });
      await until(() => hub.find(key)?.stats.hasMedia === true);
      publisher.kill();
      await publisher.done;
    },
  );
});

describe('GStreamer', () => {
  /** Time that two pipelines need to start on a busy machine, milliseconds. */
  const slowStartMs = 30_000;
  const gstreamer = (...pipeline: string[]) => start('gst-launch-1.0', ['--quiet', '--eos-on-shutdown', ...pipeline]);

  it('publishes with srtsink, and srtsrc plays it', async () => {
    const { hub, url } = await startSrt();
    const uri = url('').split('?')[0]!;
    const published = gstreamer(
      ...['videotestsrc', 'is-live=true', '!', 'video/x-raw,width=320,height=180,framerate=25/1', '!'],
      ...['x264enc', 'tune=zerolatency', 'speed-preset=ultrafast', 'key-int-max=25', '!', 'h264parse', '!', 'mux.'],
      ...['audiotestsrc', 'is-live=true', '!', 'audioconvert', '!', 'audio/x-raw,rate=48000,channels=2', '!'],
      ...['voaacenc', '!', 'aacparse', '!', 'mux.', 'mpegtsmux', 'name=mux', 'alignment=7', '!'],
      ...['srtsink', `uri=${uri}`, `streamid=${publishId}`],
    );
    await until(() => (hub.find(key)?.mediaMs ?? 0) > 1000, slowStartMs);
    const snapshot = hub.streams(clock())[0];
    expect(snapshot).toMatchObject({
      video: { codec: 'h264', width: 320, height: 180 },
      audio: { codec: 'aac', sampleRate: 48_000, channels: 2 },
    });
    const file = join(folder, 'gstreamer.ts');
    const player = gstreamer('srtsrc', `uri=${uri}`, `streamid=${playId}`, '!', 'filesink', `location=${file}`);
    const hasPlayed = () => hub.clients(clock()).some(({ publish, aliveMs }) => !publish && aliveMs > 2000);
    await until(hasPlayed, slowStartMs);
    player.kill('SIGINT');
    await player.done;
    published.kill();
    await published.done;
    const kinds = (await packetsOf(file)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'video').length).toBeGreaterThan(20);
    expect(kinds.filter((kind) => kind === 'audio').length).toBeGreaterThan(20);
    const decoded = await ffmpeg('-i', file, '-f', 'null', '-').done;
    expect(decoded).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a player over SRT', () => {
  it('gets video and audio, encrypted, from the last keyframe on', async () => {
    const secret = '&passphrase=correct-horse-battery';
    const { hub, ended, url } = await startSrt({ passphrase: 'correct-horse-battery' });
    const clip = join(folder, 'clip.flv');
    await makeClip(clip, [videoArgs, audioArgs('stereo', 48_000)], 8);
    const publisher = ffmpeg('-re', '-i', clip, '-c', 'copy', '-f', 'mpegts', url(publishId, secret));
    await until(() => (hub.find(key)?.mediaMs ?? 0) > 1000);
    const played = join(folder, 'played.mkv');
    const result = await ffmpeg('-i', url(playId, secret), '-t', '3', '-c', 'copy', played).done;
    expect(result).toMatchObject({ code: 0 });
    const packets = await packetsOf(played);
    const video = packets.filter(({ kind }) => kind === 'video');
    expect(video.length).toBeGreaterThan(60);
    expect(video[0]?.keyframe).toBe(true);
    expect(packets.filter(({ kind }) => kind === 'audio').length).toBeGreaterThan(100);
    await until(() => ended.some(({ type }) => type === 'srt-play'));
    publisher.kill();
    await publisher.done;
  });

  it('gets an error for an unpublished stream', async () => {
    const { url } = await startSrt();
    const result = await ffmpeg('-i', url(playId), '-f', 'null', '-').done;
    expect(result.code).not.toBe(0);
    expect(result.stderr).toMatch(/REJECT/);
  });
});

async function makeTsClip(file: string, parts: (typeof videoArgs)[], seconds: number): Promise<void> {
  const inputs = parts.flatMap(({ input }) => input);
  const outputs = parts.flatMap(({ output }) => output);
  const { code, stderr } = await ffmpeg('-y', ...inputs, '-t', String(seconds), ...outputs, file).done;
  if (code !== 0) throw new Error(stderr);
}
