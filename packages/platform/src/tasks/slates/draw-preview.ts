// What a slate shows with its texts as one JPEG, with the filters with which FFmpeg encodes the slate.
import { execFile } from 'node:child_process';
import { AppError, because, verbatim } from '@srs-stack/contract';
import { limitedCommand } from '@srs-stack/process/programs/limited-command.ts';
import { pictureLimits } from '@srs-stack/process/programs/media-limits.ts';
import { programEnvironment } from '../../workers/launch.ts';
import { probeClip } from './encode-slate.ts';
import { previewArgs } from './slate-args.ts';
import type { SlateClip } from './slate-look.ts';
import type { SlateText } from './slate-text.ts';
import { withTexts } from './text-folder.ts';

/** The frame of most streams. */
const frame = { width: 1280, height: 720 };
const timeoutMs = 15_000;
/** Largest JPEG, bytes: noise of this size. */
const maxBytes = 2 * 1024 ** 2;

export interface WantedPreview {
  /** A JPEG; undefined: a dark screen. */
  readonly image: Buffer | undefined;
  readonly clip: SlateClip | undefined;
  readonly text: SlateText;
}

/** Throws AppError `slateUnusable`, `programMissing`, and those of a clip. */
export async function drawPreview({ image, clip: file, text }: WantedPreview): Promise<Buffer> {
  const clip = file && (await probeClip(file.path));
  const hasImage = image !== undefined || clip?.hasVideo === true;
  const files = image && { files: { 'image.jpg': image } };
  return withTexts({ text, frame, hasImage, ...files }, ({ folder, filters }) => {
    const source = { image: image && `${folder}/image.jpg`, isBlurred: false, textFilters: filters, clip };
    return runFfmpeg(previewArgs(frame, source), folder);
  });
}

function runFfmpeg(wanted: readonly string[], folder: string | undefined): Promise<Buffer> {
  const { program, args } = limitedCommand('ffmpeg', wanted, pictureLimits);
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: maxBytes, encoding: 'buffer' } as const;
  return new Promise((resolve, reject) => {
    const options = { ...limits, env: programEnvironment(), ...(folder && { cwd: folder }) };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (!error && stdout.length > 0) resolve(stdout);
      else if (error?.code === 'ENOENT') reject(new AppError('programMissing'));
      else reject(new AppError('slateUnusable', reasonOf(stderr.toString())));
    });
  });
}

function reasonOf(stderr: string) {
  const words = stderr.trim().split('\n').at(-1) ?? '';
  return words === '' ? verbatim('FFmpeg ended without an image') : because('slate.undrawable', { words });
}
