// The audio bridge with real FFmpeg: converted audio keeps its timestamps and continues after FFmpeg exits.

import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { AudioPacket } from '@srs-stack/media/packet.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { createAudioInput } from '../src/bridge/audio-input.ts';
import { type SpawnConverter, spawnFfmpeg } from '../src/bridge/converter-process.ts';
import { createFfmpegAudioBridge } from '../src/bridge/ffmpeg-audio-bridge.ts';
import type { AudioConversion } from '../src/hub/audio-bridge.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { audioPackets, collect, type TestCodec } from './bridge-media.ts';
import { until } from './rtmp-server.ts';

/** An audio source with a tone of 100 ms at every full second except at 0 s. */
const beeps = 'aevalsrc=exprs=if(between(mod(t\\,1)\\,0\\,0.1)*gt(t\\,0.5)\\,sin(2*PI*1000*t)\\,0):s=48000';
const decodedRate = 48_000;
/** Sample value above which audio counts as the tone. */
const loud = 4000;

let conversion: AudioConversion | undefined;
afterEach(() => conversion?.close());

/** Start times of the tones in the decoded packets, milliseconds, in timestamps of the packets. */
async function tonesOf(track: AudioTrack, packets: readonly AudioPacket[]): Promise<number[]> {
  const input = createAudioInput(track)!;
  const bytes = Buffer.concat([input.header, ...packets.map(({ payload }) => input.frame(payload)!)]);
  const output = ['-f', 's16le', '-ac', '1', '-ar', `${decodedRate}`, 'pipe:1'];
  const pcm = await collect('ffmpeg', ['-v', 'error', ...input.formatArgs, '-i', 'pipe:0', ...output], bytes);
  const tones: number[] = [];
  let quietSince = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < pcm.length / 2; i++) {
    if (Math.abs(pcm.readInt16LE(i * 2)) < loud) continue;
    if (i - quietSince > decodedRate / 4) tones.push(packets[0]!.ptsMs + (i / decodedRate) * 1000);
    quietSince = i;
  }
  return tones;
}

function convert(source: AudioTrack, target: 'aac' | 'opus', spawn: SpawnConverter = spawnFfmpeg) {
  const packets: AudioPacket[] = [];
  const bridge = createFfmpegAudioBridge({ log: recordingLog(), clock: () => performance.now(), spawn });
  const stream = { vhost: 'v', app: 'live', stream: 's' };
  conversion = bridge.convert({ stream, source, target, onPacket: (packet) => packets.push(packet) });
  return { conversion, packets };
}

/**
 * Duration of media that may be inside the converter, milliseconds. By default, the converter's UDP socket buffers 166 Opus packets (3.3
 * s).
 */
const aheadMs = 2_000;

/** Pushes packets at the pace at which converted packets arrive. */
async function feed(conversion: AudioConversion, input: readonly AudioPacket[], packets: readonly AudioPacket[]) {
  const startMs = input[0]!.ptsMs;
  for (const packet of input) {
    await until(() => packet.ptsMs - (packets.at(-1)?.ptsMs ?? startMs) < aheadMs);
    conversion.push(packet);
  }
}

describe('converted audio', () => {
  it.each<[TestCodec, number, 'aac' | 'opus']>([
    ['aac', 48_000, 'opus'],
    ['aac', 44_100, 'opus'],
    ['mp3', 44_100, 'opus'],
    ['mp3', 48_000, 'aac'],
    ['opus', 48_000, 'aac'],
    ['mp2', 48_000, 'aac'],
    ['ac3', 48_000, 'aac'],
    ['ac3', 44_100, 'opus'],
    ['eac3', 48_000, 'opus'],
    ['latm', 44_100, 'opus'],
  ])('%s of %i Hz → %s: has the times of the original', async (codec, sampleRate, target) => {
    const input = (await audioPackets(codec, { seconds: 5, sampleRate, source: beeps })).map((packet) => ({
      ...packet,
      ptsMs: packet.ptsMs + 60_000,
      dtsMs: packet.dtsMs + 60_000,
    }));
    const { track } = input[0]!;
    const { conversion, packets } = convert(track, target);
    await feed(conversion, input, packets);
    await until(() => (packets.at(-1)?.ptsMs ?? 0) > 64_800);
    const [before, after] = [await tonesOf(track, input), await tonesOf(packets[0]!.track, packets)];
    expect(before).toHaveLength(4);
    expect(after).toHaveLength(4);
    // A tone starts up to a few milliseconds off, because the codec transforms blocks of samples. A lost frame would cause a larger
    // difference.
    for (const [i, time] of after.entries()) expect(Math.abs(time - before[i]!)).toBeLessThan(6);
  });

  it('is not needed when a program has AAC in addition to AC-3', async () => {
    const args = ['-v', 'error', '-f', 'lavfi', '-i', 'sine', '-t', '1', '-map', '0:a', '-map', '0:a'];
    const codecs = ['-c:a:0', 'ac3', '-c:a:1', 'aac', '-f', 'mpegts', 'pipe:1'];
    const codec = new Set<string>();
    const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: ({ track }) => codec.add(track.codec) });
    demuxer.push(await collect('ffmpeg', [...args, ...codecs]));
    expect(codec).toEqual(new Set(['aac']));
  });

  it('keeps its position after undecodable frames and after a gap', async () => {
    const clean = await audioPackets('opus', { seconds: 6, source: beeps });
    // Three packets are lost after 1.5 s, and the publisher pauses for 10 s after 3.5 s.
    const input = clean
      .filter((_, i) => i < 75 || i > 77)
      .map((packet) => (packet.ptsMs < 3500 ? packet : { ...packet, ptsMs: packet.ptsMs + 10_000 }));
    const { conversion, packets } = convert(clean[0]!.track, 'aac');
    for (const packet of input) conversion.push(packet);
    await until(() => (packets.at(-1)?.ptsMs ?? 0) > 15_800);
    const times = packets.map(({ ptsMs }) => ptsMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const beforeGap = packets.filter(({ ptsMs }) => ptsMs < 3500);
    const afterGap = packets.filter(({ ptsMs }) => ptsMs > 13_000);
    expect(beforeGap.length + afterGap.length).toBe(packets.length);
    const starts = await tonesOf(packets[0]!.track, afterGap);
    expect(starts.map((time) => Math.round(time / 100))).toEqual([140, 150]);
  });

  it('resumes when its converter is killed', async () => {
    const children: ReturnType<SpawnConverter>[] = [];
    const input = await audioPackets('aac', { seconds: 10 });
    const { conversion, packets } = convert(input[0]!.track, 'opus', (args) => {
      const child = spawnFfmpeg(args);
      children.push(child);
      return child;
    });
    const next = input.values();
    const feeder = setInterval(() => {
      const { value } = next.next();
      if (value) conversion.push(value);
    }, 20);
    try {
      await until(() => packets.length > 20);
      children[0]!.kill('SIGKILL');
      await until(() => conversion.state === 'waiting');
      const count = packets.length;
      await until(() => packets.length > count + 20);
      expect(children).toHaveLength(2);
      const times = packets.map(({ ptsMs }) => ptsMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    } finally {
      clearInterval(feeder);
    }
  });

  it('leaves no process running', async () => {
    const ended: Promise<unknown>[] = [];
    const input = await audioPackets('aac', { seconds: 1 });
    const { conversion, packets } = convert(input[0]!.track, 'opus', (args) => {
      const child = spawnFfmpeg(args);
      ended.push(new Promise((resolve) => child.once('close', resolve)));
      return child;
    });
    for (const packet of input) conversion.push(packet);
    await until(() => packets.length > 20);
    conversion.close();
    await Promise.all(ended);
    expect(ended).toHaveLength(1);
  });
});
