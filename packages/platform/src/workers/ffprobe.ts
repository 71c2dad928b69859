// Asks ffprobe what a file or remote stream is made of, within a time limit; its words become the shapes of the contract.
import { type ExecFileException, execFile } from 'node:child_process';
import {
  AppError,
  because,
  type MediaAudio,
  type MediaFormat,
  type MediaVideo,
  mediaAudio,
  mediaVideo,
  verbatim,
} from '@srs-stack/contract';
import { z } from 'zod';
import { failureOf } from './failure-reason.ts';
import { fileInputArgs, networkInputArgs } from './ffmpeg-args/address.ts';
import { createMask } from './mask.ts';

/** A source that does not tell what it is within this time cannot be used, milliseconds. */
const probeTimeoutMs = 15_000;
/** Largest answer, bytes: a file with hundreds of tracks is no source. */
const maxAnswerBytes = 4 * 1024 * 1024;

export type ProbeTarget = { readonly file: string } | { readonly url: string };

export interface MediaFacts {
  readonly format: MediaFormat;
  readonly video: MediaVideo | null;
  readonly audio: MediaAudio | null;
  /** Kinds of its tracks in their order, e.g. `video,audio`: files of one playlist must agree. */
  readonly layout: string;
}

/** Texts as ffprobe prints them; '' for what it does not know. */
const text = z.string().catch('');
const answer = z.object({
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

/** Throws AppError `mediaUnusable`, `mediaUnreachable` or `programMissing` with the reason. */
export async function probeMedia(target: ProbeTarget, program = 'ffprobe'): Promise<MediaFacts> {
  const parsed = answer.safeParse(JSON.parse((await runProbe(target, program)) || '{}'));
  const data = parsed.success ? parsed.data : { format: undefined, streams: [] };
  const tracks = data.streams.filter((stream) => stream.disposition.attached_pic !== 1);
  const video = tracks.find((stream) => stream.codec_type === 'video');
  const audio = tracks.find((stream) => stream.codec_type === 'audio');
  if (!data.format || (!video && !audio)) throw new AppError('mediaUnusable', because('source.no-media'));
  const fields = withoutMissing;
  return {
    format: { ...data.format, has_video: video !== undefined, has_audio: audio !== undefined },
    video: video ? mediaVideo.parse(fields(video)) : null,
    audio: audio ? mediaAudio.parse(fields(audio)) : null,
    layout: data.streams.map((stream) => stream.codec_type).join(','),
  };
}

/** Only texts and numbers: ffprobe leaves out what it does not know. */
function withoutMissing(stream: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stream).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
  );
}

function probeArgs(target: ProbeTarget): string[] {
  const show = ['-loglevel', 'error', '-print_format', 'json', '-show_format', '-show_streams'];
  if ('file' in target) return [...show, ...fileInputArgs, '-i', `file:${target.file}`];
  return [...show, ...networkInputArgs(target.url), '-i', target.url];
}

function runProbe(target: ProbeTarget, program: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: probeTimeoutMs, killSignal: 'SIGKILL' as const, maxBuffer: maxAnswerBytes };
    execFile(program, probeArgs(target), options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(probeFailure(error, stderr, target));
    });
  });
}

function probeFailure(error: ExecFileException, stderr: string, target: ProbeTarget): AppError {
  if (error.code === 'ENOENT') return new AppError('programMissing');
  const isRemote = 'url' in target;
  const name = isRemote ? 'mediaUnreachable' : 'mediaUnusable';
  if (error.killed) return new AppError(name, because('source.no-answer', { seconds: probeTimeoutMs / 1_000 }));
  const { detail } = failureOf({ code: 1, signal: null, lines: stderr.split(/[\r\n]+/).filter(Boolean) });
  const mask = createMask(['url' in target ? target.url : target.file]);
  return new AppError(name, verbatim(mask(detail).replace(/^\*+:\s*/, '')));
}
