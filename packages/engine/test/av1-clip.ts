// AV1 for tests: FFmpeg's encoder, frames from an IVF file, and the decoder configuration from an MP4 file of the same video.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { videoTrackFromConfig } from '@srs-stack/media/codecs/video-track.ts';
import type { VideoPacket } from '@srs-stack/media/packet.ts';

const run = promisify(execFile);
const ivfHeaderBytes = 32;
const ivfFrameHeaderBytes = 12;
const frameMs = 40;
const gop = 25;

/** Encodes 25 frames per second, with a keyframe each second. */
export async function encodeAv1(seconds: number): Promise<VideoPacket[]> {
  const folder = await mkdtemp(join(tmpdir(), 'av1-'));
  try {
    const mp4 = join(folder, 'a.mp4');
    const ivf = join(folder, 'a.ivf');
    const input = ['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=25:d=${seconds}`, '-pix_fmt', 'yuv420p'];
    const encoder = [
      '-c:v',
      'libaom-av1',
      '-usage',
      'realtime',
      '-cpu-used',
      '8',
      '-g',
      String(gop),
      '-keyint_min',
      String(gop),
    ];
    await run('ffmpeg', ['-v', 'error', ...input, ...encoder, mp4]);
    await run('ffmpeg', ['-v', 'error', '-i', mp4, '-c', 'copy', ivf]);
    const track = videoTrackFromConfig('av1', configOf(await readFile(mp4)));
    return framesOf(await readFile(ivf)).map((payload, index) => ({
      track,
      keyframe: index % gop === 0,
      dtsMs: index * frameMs,
      ptsMs: index * frameMs,
      payload,
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configOf(mp4: Buffer): Buffer {
  const at = mp4.indexOf('av1C');
  return mp4.subarray(at + 4, at - 4 + mp4.readUInt32BE(at - 4));
}

function framesOf(ivf: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = ivfHeaderBytes; at < ivf.length; ) {
    const start = at + ivfFrameHeaderBytes;
    at = start + ivf.readUInt32LE(at);
    frames.push(ivf.subarray(start, at));
  }
  return frames;
}
