// Real media for tests of HLS and fragmented MP4: FFmpeg encodes a transport stream, the demuxer converts the stream to hub packets, and
// FFmpeg analyzes the written files.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TsDemuxer } from '@srs-stack/media/containers/mpegts/ts-demuxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';

const run = promisify(execFile);

export const h264WithBFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2', '-pix_fmt', 'yuv420p'];
export const h265 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  'log-level=none',
  '-pix_fmt',
  'yuv420p',
];

export interface EncodeOptions {
  readonly seconds: number;
  /** Encoder arguments. An undefined track is omitted. */
  readonly video?: readonly string[];
  readonly audio?: readonly string[];
  /** Frames between keyframes, at 25 frames per second. */
  readonly gop?: number;
  readonly size?: string;
}

async function encodeTs(options: EncodeOptions): Promise<Buffer> {
  const { seconds, video, audio, gop = 50, size = '320x180' } = options;
  const inputs = [
    ...(video ? ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25`] : []),
    ...(audio ? ['-f', 'lavfi', '-i', 'sine=f=440:r=48000'] : []),
  ];
  const videoArgs = video ? [...video, '-g', String(gop), '-keyint_min', String(gop), '-sc_threshold', '0'] : [];
  return withFolder(async (folder) => {
    const file = join(folder, 'source.mpegts');
    const output = ['-t', String(seconds), '-f', 'mpegts', file];
    await run('ffmpeg', ['-v', 'error', ...inputs, ...videoArgs, ...(audio ?? []), ...output]);
    return readFile(file);
  });
}

/** Packets in the order of decoding, as an RTMP publisher sends them. */
export async function encodePackets(options: EncodeOptions): Promise<Packet[]> {
  return demuxPackets(await encodeTs(options));
}

function demuxPackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  const demuxer = new TsDemuxer({ onTrack: () => {}, onPacket: (packet) => packets.push(packet) });
  demuxer.push(bytes);
  demuxer.end();
  return packets.sort((left, right) => left.dtsMs - right.dtsMs);
}

export interface ProbedPacket {
  readonly codec_type: 'video' | 'audio';
  readonly pts_time: string;
  readonly dts_time: string;
  readonly flags: string;
}

export async function probePackets(input: string): Promise<ProbedPacket[]> {
  const entries = 'packet=codec_type,pts_time,dts_time,flags';
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', entries, '-of', 'json', input], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as { packets: ProbedPacket[] }).packets;
}

export interface ProbedStream {
  readonly codec_name: string;
  readonly profile?: string;
  readonly width?: number;
  readonly height?: number;
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly nb_read_frames: string;
}

export async function probeStreams(input: string): Promise<ProbedStream[]> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-count_frames', '-show_streams', '-of', 'json', input], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return (JSON.parse(stdout) as { streams: ProbedStream[] }).streams;
}

export async function decodeErrors(input: string): Promise<string> {
  const { stderr } = await run('ffmpeg', ['-v', 'warning', '-xerror', '-i', input, '-f', 'null', '-']);
  return stderr;
}

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hls-test-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
