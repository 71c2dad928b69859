// FFmpeg reads the output of the fragmented MP4 muxer: every frame decodes and has its original timestamp.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fmp4Muxer } from '@srs-stack/media/containers/fmp4/fmp4-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeAv1 } from './av1-clip.ts';
import { decodeErrors, encodePackets, h264WithBFrames, h265, probePackets, probeStreams } from './hls-media.ts';

/** Duration of a fragment, milliseconds, so that no fragment ends at a GOP boundary. */
const fragmentMs = 333;
const aac = (rate: number, layout = 'stereo') => [
  '-c:a',
  'aac',
  '-ar',
  String(rate),
  '-af',
  `aformat=channel_layouts=${layout}`,
];
const opus = ['-c:a', 'libopus', '-ar', '48000', '-af', 'aformat=channel_layouts=stereo'];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fmp4-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function mux(packets: readonly Packet[]): Promise<string> {
  const tracks = [...new Set(packets.map(({ track }) => track))].sort((left, right) =>
    left.kind < right.kind ? 1 : -1,
  );
  const muxer = new Fmp4Muxer(tracks);
  const pieces = [muxer.initSegment];
  let startMs = packets[0]!.dtsMs;
  for (const packet of packets) {
    const isDue = packet.track.kind === tracks[0]!.kind && packet.dtsMs - startMs >= fragmentMs;
    if (isDue) {
      pieces.push(...muxer.takeFragment(packet.dtsMs));
      startMs = packet.dtsMs;
    }
    expect(muxer.push(packet)).toBe(true);
  }
  pieces.push(...muxer.takeFragment(packets.at(-1)!.dtsMs + 40));
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mp4`);
  await writeFile(file, Buffer.concat(pieces));
  return file;
}

const cases: [name: string, encode: () => Promise<Packet[]>, codecs: string[]][] = [
  [
    'H.264 with B-frames and AAC at 48 kHz',
    () => encodePackets({ seconds: 3, video: h264WithBFrames, audio: aac(48_000) }),
    ['h264', 'aac'],
  ],
  [
    'H.264 and AAC at 44.1 kHz',
    () => encodePackets({ seconds: 3, video: h264WithBFrames, audio: aac(44_100) }),
    ['h264', 'aac'],
  ],
  [
    'H.264 and AAC 5.1',
    () => encodePackets({ seconds: 3, video: h264WithBFrames, audio: aac(48_000, '5.1') }),
    ['h264', 'aac'],
  ],
  ['HEVC and Opus', () => encodePackets({ seconds: 3, video: h265, audio: opus }), ['hevc', 'opus']],
  ['sound alone', () => encodePackets({ seconds: 3, audio: aac(44_100) }), ['aac']],
  ['AV1', () => encodeAv1(2), ['av1']],
];

it.each(cases)('%s', async (_name, encode, codecs) => {
  const packets = await encode();
  const file = await mux(packets);
  expect(await decodeErrors(file)).toBe('');
  const streams = await probeStreams(file);
  expect(streams.map(({ codec_name }) => codec_name)).toEqual(codecs);
  const probed = await probePackets(file);
  for (const [kind, toleranceMs] of [
    ['video', 0.02],
    ['audio', 1],
  ] as const) {
    const sent = packets.filter(({ track }) => track.kind === kind);
    const read = probed.filter(({ codec_type }) => codec_type === kind);
    expect(read.length).toBe(sent.length);
    const stream = streams[codecs.length > 1 && kind === 'audio' ? 1 : 0];
    if (sent.length > 0) expect(Number(stream?.nb_read_frames)).toBe(sent.length);
    for (const [index, packet] of sent.entries()) {
      expect(Math.abs(Number(read[index]!.dts_time) * 1000 - packet.dtsMs)).toBeLessThan(toleranceMs);
      expect(Math.abs(Number(read[index]!.pts_time) * 1000 - packet.ptsMs)).toBeLessThan(toleranceMs);
      expect(read[index]!.flags.startsWith('K')).toBe(packet.keyframe);
    }
  }
});

it('keeps audio complete when the times of its packets were rounded to milliseconds', async () => {
  const packets = await encodePackets({ seconds: 3, audio: aac(44_100) });
  const rounded = packets.map((packet) => ({
    ...packet,
    dtsMs: Math.round(packet.dtsMs),
    ptsMs: Math.round(packet.ptsMs),
  }));
  const read = await probePackets(await mux(rounded));
  const distances = read.slice(1).map(({ pts_time }, index) => Number(pts_time) - Number(read[index]!.pts_time));
  expect(Math.max(...distances) - Math.min(...distances)).toBeLessThan(0.000_01);
});

it('follows audio whose times jump, and never goes back', async () => {
  const packets = await encodePackets({ seconds: 2, audio: aac(48_000) });
  const moved = packets.map((packet, index) => {
    const shiftMs = index < 30 ? 0 : index < 60 ? 400 : 350;
    return { ...packet, dtsMs: packet.dtsMs + shiftMs, ptsMs: packet.ptsMs + shiftMs };
  });
  const times = (await probePackets(await mux(moved))).map(({ pts_time }) => Number(pts_time));
  expect(times[30]! - times[29]!).toBeGreaterThan(0.4);
  expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true);
});
