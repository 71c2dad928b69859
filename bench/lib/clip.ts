// A small H.264 clip with Opus and AAC audio, for WebRTC and SRT senders. FFmpeg creates the clip once per bitrate in
// BENCH_MEDIA or the temporary folder. Senders loop the clip and insert an SEI with a time stamp into every frame.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

export const framesPerSecond = 30;
const gopFrames = 60;
const clipSeconds = 10;

export interface ClipFiles {
  readonly h264: string;
  readonly opus: string;
  readonly aac: string;
}

/** One frame as NALUs without start codes. */
export interface AccessUnit {
  readonly isKey: boolean;
  /** SPS and PPS; empty if the file has none before this frame. */
  readonly parameterSets: readonly Buffer[];
  readonly slices: readonly Buffer[];
}

/**
 * Maximum size of a slice that shares an RTP packet with the stamp of its frame (`stampedSei`), bytes.
 * With larger slices, the stamp would need a separate packet. A frame at 1 Mbps would then have five packets instead of four.
 */
const packetSliceBytes = 1_120;

/**
 * Creates the clip with the given video bitrate, unless the file exists.
 * `slices` is `picture` for one slice per frame, or `packet` for one slice per RTP packet.
 */
export function makeClip(kbps: number, slices: 'picture' | 'packet' = 'picture'): ClipFiles {
  const folder = process.env.BENCH_MEDIA ?? join(tmpdir(), 'srs-stack-bench-media');
  mkdirSync(folder, { recursive: true });
  const files = {
    h264: join(folder, `clip-${kbps}${slices === 'packet' ? '-packets' : ''}.h264`),
    opus: join(folder, 'tone.ogg'),
    aac: join(folder, 'tone.aac'),
  };
  const rate = ['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps >> 1}k`];
  const x264 = [...x264Parameters, slices === 'packet' ? `slice-max-size=${packetSliceBytes}` : 'slices=1'].join(':');
  makeFile(files.h264, 'h264', [...pictures, '-x264-params', x264, ...rate]);
  makeFile(files.opus, 'ogg', [...tone, '-c:a', 'libopus', '-b:a', '64k', '-vbr', 'off', '-frame_duration', '20']);
  makeFile(files.aac, 'adts', [...tone, '-c:a', 'aac', '-b:a', '128k']);
  return files;
}

// Fixed GOPs, no B-frames, SPS and PPS before each IDR frame. The noise in `pattern` makes x264 use the whole bitrate.
const x264Parameters = [
  `keyint=${gopFrames}`,
  `min-keyint=${gopFrames}`,
  'scenecut=0',
  'bframes=0',
  'sliced-threads=0',
  'repeat-headers=1',
  'aud=0',
  'threads=2',
];
const pattern = `testsrc2=s=640x360:r=${framesPerSecond}:d=${clipSeconds},noise=alls=30:allf=t`;
const codec = '-c:v libx264 -profile:v baseline -preset veryfast -pix_fmt yuv420p'.split(' ');
const pictures = ['-f', 'lavfi', '-i', pattern, ...codec];
const tone = ['-f', 'lavfi', '-i', `sine=f=440:r=48000:d=${clipSeconds}`, '-ac', '2'];

function makeFile(file: string, format: string, args: readonly string[]): void {
  if (existsSync(file)) return;
  const unfinished = `${file}.${process.pid}${extname(file)}`;
  const all = ['-nostdin', '-loglevel', 'error', '-y', ...args, '-f', format, unfinished];
  execFileSync('ffmpeg', all, { stdio: 'inherit' });
  renameSync(unfinished, file);
}

/** Frames of an Annex B file, without its SEI and access unit delimiters. */
export function readAccessUnits(file: string): AccessUnit[] {
  const units: { isKey: boolean; parameterSets: Buffer[]; slices: Buffer[] }[] = [];
  let parameterSets: Buffer[] = [];
  for (const nalu of readNalus(readFileSync(file))) {
    const type = nalu[0]! & 31;
    if (type === 7 || type === 8) parameterSets.push(nalu);
    if (type !== 1 && type !== 5) continue;
    if (isFirstSlice(nalu)) {
      units.push({ isKey: type === 5, parameterSets, slices: [] });
      parameterSets = [];
    }
    units.at(-1)?.slices.push(nalu);
  }
  return units;
}

/** Whether `first_mb_in_slice` (H.264 §7.3.3) is 0, which is encoded as a single 1 bit. */
function isFirstSlice(slice: Buffer): boolean {
  return (slice[1]! & 0x80) !== 0;
}

/** NALUs of an Annex B byte stream (H.264 Annex B), without start codes and trailing zeros. */
function readNalus(bytes: Buffer): Buffer[] {
  const startCode = Buffer.from([0, 0, 1]);
  const nalus: Buffer[] = [];
  for (let at = bytes.indexOf(startCode); at >= 0; ) {
    const start = at + startCode.length;
    at = bytes.indexOf(startCode, start);
    let end = at < 0 ? bytes.length : at;
    while (end > start && bytes[end - 1] === 0) end -= 1;
    nalus.push(bytes.subarray(start, end));
  }
  return nalus;
}

/** Packets of an Ogg Opus file (RFC 7845), without its two header packets. */
export function readOpusPackets(file: string): Buffer[] {
  const bytes = readFileSync(file);
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let page = 0; page + 27 <= bytes.length; ) {
    const segments = bytes[page + 26]!;
    let data = page + 27 + segments;
    for (let index = 0; index < segments; index += 1) {
      const size = bytes[page + 27 + index]!;
      parts.push(bytes.subarray(data, data + size));
      data += size;
      if (size === 255) continue; // the packet continues in the next segment
      packets.push(Buffer.concat(parts));
      parts = [];
    }
    page = data;
  }
  return packets.slice(2);
}
