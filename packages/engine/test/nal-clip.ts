// A clip of H.264 or H.265 with several slices per frame, as the RTMP messages that real encoders send.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { writeH264Config } from '@srs-stack/media/codecs/h264-config.ts';
import { writeH265Config } from '@srs-stack/media/codecs/h265-config.ts';
import { joinLengthPrefixed, splitAnnexB } from '@srs-stack/media/codecs/nal-units.ts';
import type { FileTag } from '@srs-stack/media/testing/flv-file.ts';

const run = promisify(execFile);

export type Codec = 'h264' | 'h265';

export interface NalClip {
  readonly codec: Codec;
  /** NAL units of each frame, without delimiters and parameter sets. */
  readonly frames: readonly (readonly Buffer[])[];
  readonly parameterSets: readonly Buffer[];
  readonly hashes: readonly string[];
}

export interface Sending {
  readonly header: 'record' | 'start codes' | 'none';
  readonly units: 'lengths' | 'start codes';
  readonly messages: 'picture' | 'slice' | 'unit';
  readonly inBand: boolean;
}

export const nalClipFrameMs = 40;
const gop = 25;

const encoders: Record<Codec, readonly string[]> = {
  h264: ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-x264-params', `slices=4:keyint=${gop}:scenecut=0`],
  h265: ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=error:slices=4:bframes=0:keyint=${gop}`],
};

/** Makes a clip of 4 s at 25 frames per second, with a keyframe each second. */
export async function makeNalClip(codec: Codec, file: string): Promise<NalClip> {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x320:rate=25', '-t', '4', '-pix_fmt', 'yuv420p'];
  await run('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...source,
    ...encoders[codec],
    '-f',
    codec === 'h264' ? 'h264' : 'hevc',
    file,
  ]);
  const units = splitAnnexB(await readFile(file));
  const parameterSets = units.filter((unit) => isSet(codec, unit));
  const distinct = parameterSets.filter((unit, i) => parameterSets.findIndex((other) => other.equals(unit)) === i);
  const frames: Buffer[][] = [];
  for (const unit of units.filter((unit) => isSlice(codec, unit))) {
    if (isFirstSlice(codec, unit)) frames.push([]);
    frames.at(-1)!.push(unit);
  }
  return { codec, frames, parameterSets: distinct, hashes: await hashesOf(file, frames.length) };
}

/** Hashes of the first frames of a URL or file. Throws FFmpeg's errors. */
export async function hashesOf(source: string, frames: number, options: readonly string[] = []): Promise<string[]> {
  const output = ['-map', '0:v', '-frames:v', String(frames), '-vsync', 'passthrough', '-f', 'framemd5', '-'];
  const { stdout, stderr } = await run('ffmpeg', ['-v', 'error', '-nostdin', ...options, '-i', source, ...output]);
  if (stderr !== '') throw new Error(stderr);
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(',').at(-1)!.trim());
}

/** The video messages of the clip, in the form that `sending` describes. */
export function messagesOf({ codec, frames, parameterSets }: NalClip, sending: Sending): Omit<FileTag, 'bytes'>[] {
  const frame = sending.units === 'lengths' ? joinLengthPrefixed : annexB;
  const message = (timestampMs: number, keyframe: boolean, units: readonly Buffer[]) => ({
    type: 9,
    timestampMs,
    body: Buffer.concat([frameHead(codec, keyframe), frame(units)]),
  });
  const media = frames.flatMap((slices, index) => {
    const keyframe = index % gop === 0;
    const sets = keyframe && sending.inBand ? parameterSets : [];
    const groups = {
      picture: [[...sets, ...slices]],
      slice: slices.map((slice, i) => (i === 0 ? [...sets, slice] : [slice])),
      unit: [...sets, ...slices].map((unit) => [unit]),
    }[sending.messages];
    return groups.map((units) => message(index * nalClipFrameMs, keyframe, units));
  });
  return [...headerOf(codec, parameterSets, sending.header), ...media];
}

function headerOf(codec: Codec, sets: readonly Buffer[], header: Sending['header']): Omit<FileTag, 'bytes'>[] {
  if (header === 'none') return [];
  const record =
    codec === 'h264'
      ? writeH264Config(
          sets.filter((unit) => (unit[0]! & 31) === 7),
          sets.filter((unit) => (unit[0]! & 31) === 8),
        )
      : writeH265Config(sets)!;
  const head =
    codec === 'h264'
      ? Buffer.from('1700000000', 'hex')
      : Buffer.from(`90${Buffer.from('hvc1').toString('hex')}`, 'hex');
  return [{ type: 9, timestampMs: 0, body: Buffer.concat([head, header === 'record' ? record : annexB(sets)]) }];
}

function frameHead(codec: Codec, keyframe: boolean): Buffer {
  if (codec === 'h264') return Buffer.from(keyframe ? '1701000000' : '2701000000', 'hex');
  return Buffer.concat([Buffer.of(keyframe ? 0x93 : 0xa3), Buffer.from('hvc1')]);
}

function annexB(units: readonly Buffer[]): Buffer {
  return Buffer.concat(units.flatMap((unit, i) => [Buffer.from(i === 0 ? [0, 0, 0, 1] : [0, 0, 1]), unit]));
}

function isSet(codec: Codec, unit: Buffer): boolean {
  return codec === 'h264' ? [7, 8].includes(unit[0]! & 31) : [32, 33, 34].includes(unit[0]! >> 1);
}

function isSlice(codec: Codec, unit: Buffer): boolean {
  return codec === 'h264' ? [1, 5].includes(unit[0]! & 31) : unit[0]! >> 1 < 32;
}

function isFirstSlice(codec: Codec, unit: Buffer): boolean {
  return (unit[codec === 'h264' ? 1 : 2]! & 0x80) !== 0;
}
