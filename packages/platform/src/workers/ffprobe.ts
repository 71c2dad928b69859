// Probes a file or remote stream with ffprobe. Runs with a timeout and converts the result to contract types.
import { type ExecFileException, execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import {
  AppError,
  because,
  type MediaAudio,
  type MediaFormat,
  type MediaVideo,
  mediaAudio,
  mediaVideo,
  type RefusalDetail,
  verbatim,
} from '@srs-stack/contract';
import { limitReached } from '@srs-stack/process/programs/limit-reached.ts';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { maxPicturePixels, probeCpuSeconds, probeLimits } from '@srs-stack/process/programs/media-limits.ts';
import type { ProgramLimits } from '@srs-stack/process/programs/program-limits.ts';
import { z } from 'zod';
import { failureOf, leadsToForbidden, tooManyPixels } from './failure-reason.ts';
import { fileInputArgs, networkInputArgs } from './ffmpeg-args/address.ts';
import { programEnvironment } from './launch.ts';
import { createMask } from './mask.ts';

/** Timeout of a probe, milliseconds. */
const probeTimeoutMs = 15_000;
/** Maximum output of ffprobe, bytes. A file with hundreds of tracks is not a valid source. */
const maxResponseBytes = 4 * 1024 * 1024;

export type ProbeTarget =
  | { readonly file: string }
  /** `environment`: variables for the proxy, see `SourceProxy`. */
  | { readonly url: string; readonly environment?: Readonly<Record<string, string>> };

export interface MediaFacts {
  readonly format: MediaFormat;
  readonly video: MediaVideo | null;
  readonly audio: MediaAudio | null;
  /** Track kinds in order, e.g. `video,audio`. All files of a playlist must have equal layouts. */
  readonly layout: string;
}

/** ffprobe prints strings; '' means an unknown value. */
const text = z.string().catch('');
const probeOutput = z.object({
  format: z
    .object({
      start_time: text,
      duration: text,
      bit_rate: text,
      nb_streams: z.number().catch(0),
      probe_score: z.number().catch(0),
    })
    .optional(),
  streams: z
    .array(z.looseObject({ codec_type: text, disposition: z.record(z.string(), z.number()).catch({}) }))
    .catch([]),
});

/**
 * Memory that FFmpeg allocates per declared sample of an MP4 (`AVIndexEntry`), bytes. After a failed allocation, FFmpeg ignores the
 * samples.
 */
const indexEntryBytes = 24;
const mib = 1024 ** 2;

/** Throws AppError `mediaUnusable`, `mediaUnreachable` or `programMissing`. */
export async function probeMedia(target: ProbeTarget, program = 'ffprobe'): Promise<MediaFacts> {
  const limits = probeLimits('file' in target ? (await stat(target.file).catch(() => undefined))?.size : 0);
  const parsed = probeOutput.safeParse(JSON.parse((await runProbe(target, program, limits)) || '{}'));
  const data = parsed.success ? parsed.data : { format: undefined, streams: [] };
  checkClaims(data.streams, limits);
  const tracks = data.streams.filter((stream) => stream.disposition.attached_pic !== 1);
  const video = tracks.find((stream) => stream.codec_type === 'video');
  const audio = tracks.find((stream) => stream.codec_type === 'audio');
  if (!data.format || (!video && !audio)) throw new AppError('mediaUnusable', because('source.no-media'));
  const fields = withoutMissing;
  return {
    format: { ...data.format, has_video: video !== undefined, has_audio: audio !== undefined },
    video: video ? withEncodeReason(mediaVideo.parse({ ...fields(video), rotation: rotationOf(video) })) : null,
    audio: audio ? mediaAudio.parse(fields(audio)) : null,
    layout: data.streams.map((stream) => stream.codec_type).join(','),
  };
}

const sideData = z.array(z.looseObject({ rotation: z.number().optional() })).catch([]);

function rotationOf({ side_data_list }: Record<string, unknown>): number {
  return sideData.parse(side_data_list).find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
}

/** Pixel formats that browsers display, by codec. Formats of unlisted codecs count as displayable. */
const shownPixels: Readonly<Record<string, readonly string[]>> = {
  h264: ['', 'yuv420p', 'yuvj420p', 'nv12'],
  hevc: ['', 'yuv420p', 'yuvj420p', 'nv12', 'yuv420p10le'],
};

/** Adds the reason for encoding. Rotated video must be encoded, because RTMP and MPEG-TS carry no rotation. */
function withEncodeReason(video: MediaVideo): MediaVideo {
  const isShown = shownPixels[video.codec_name]?.includes(video.pix_fmt) ?? true;
  return { ...video, encodes: video.rotation !== 0 ? 'rotation' : isShown ? '' : 'pixels' };
}

/** Throws `mediaUnusable` if frames exceed the size limit or tables exceed the memory limit: no worker could play the file. */
function checkClaims(streams: readonly Record<string, unknown>[], { memoryBytes }: ProgramLimits): void {
  if (streams.some(({ width, height }) => Number(width) * Number(height) > maxPicturePixels)) throw pictureTooLarge();
  const samples = streams.reduce((sum, { nb_frames }) => sum + (Number(nb_frames) || 0), 0);
  const neededMib = Math.ceil((samples * indexEntryBytes) / mib);
  const maximum = Math.floor(memoryBytes / mib);
  if (neededMib <= maximum) return;
  throw new AppError('mediaUnusable', because('source.too-many-samples', { samples, mib: neededMib, maximum }));
}

/** Keeps strings and numbers. ffprobe omits unknown values. */
function withoutMissing(stream: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stream).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}

function probeArgs(target: ProbeTarget): string[] {
  // FFmpeg logs failed HTTP requests as warnings.
  const loglevel = 'url' in target ? 'warning' : 'error';
  const show = ['-loglevel', loglevel, '-print_format', 'json', '-show_format', '-show_streams'];
  if ('file' in target) return [...show, ...fileInputArgs, '-i', `file:${target.file}`];
  return [...show, ...networkInputArgs(target.url), '-i', target.url];
}

function runProbe(target: ProbeTarget, wanted: string, limits: ProgramLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...programEnvironment(), ...('url' in target ? target.environment : {}) };
    const options = { env, timeout: probeTimeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: maxResponseBytes };
    const { program, args } = limitedCommand(wanted, probeArgs(target), limits);
    execFile(program, args, options, (error, stdout, stderr) => {
      // ffprobe exits with 0 for an oversized frame and only prints an error.
      if (!error && tooManyPixels.test(stderr)) reject(pictureTooLarge());
      else if (!error) resolve(stdout);
      else reject(probeFailure(error, stderr, target, limits));
    });
  });
}

function probeFailure(error: ExecFileException, stderr: string, target: ProbeTarget, limits: ProgramLimits): AppError {
  if (error.code === 'ENOENT') return new AppError('programMissing');
  const words = stderr.split(/[\r\n]+/).filter(Boolean);
  const limit = limitDetail(error, words, limits);
  if (limit) return new AppError('mediaUnusable', limit);
  if (tooManyPixels.test(stderr)) return pictureTooLarge();
  const isRemote = 'url' in target;
  if (isRemote && leadsToForbidden.test(stderr))
    return new AppError('addressRefused', because('source.leads-to-forbidden'));
  const name = isRemote ? 'mediaUnreachable' : 'mediaUnusable';
  if (error.killed) return new AppError(name, because('source.no-answer', { seconds: probeTimeoutMs / 1_000 }));
  const { detail } = failureOf({ code: 1, signal: null, lines: words });
  const mask = createMask(['url' in target ? target.url : target.file]);
  return new AppError(name, verbatim(mask(detail.text).replace(/^\*+:\s*/, '')));
}

function limitDetail(
  { signal }: ExecFileException,
  words: readonly string[],
  { memoryBytes }: ProgramLimits,
): RefusalDetail | undefined {
  const limit = limitReached(signal ?? null, words);
  if (limit === 'memory') return because('source.limit-memory', { mib: Math.round(memoryBytes / mib) });
  if (limit === 'cpu') return because('source.limit-cpu', { seconds: probeCpuSeconds });
  return undefined;
}

function pictureTooLarge(): AppError {
  return new AppError('mediaUnusable', because('source.picture-too-large', { pixels: maxPicturePixels }));
}
