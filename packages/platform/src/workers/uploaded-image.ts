// Converts a PNG, JPEG or WebP file to a PNG or JPEG of limited size, with FFmpeg over pipes. Unchecked data is never written to disk.
import { AppError, because, maxWatermarkBytes, type RefusalDetail } from '@srs-stack/contract';
import { limitReached } from '@srs-stack/process/programs/limit-reached.ts';
import { tooManyPixels } from './failure-reason.ts';
import { type ImageResult, runForImage } from './image-run.ts';

/** Timeout for converting an image, milliseconds. */
const timeoutMs = 15_000;
/** Maximum number of declared pixels. Decoding takes four bytes per pixel. */
const maxSourcePixels = 4_096 * 4_096;

/** Target format. */
interface ImageForm {
  /** Longest side, pixels; larger images are scaled down. */
  readonly maxSidePixels: number;
  readonly pixelFormat: 'rgba' | 'yuvj420p';
  readonly encoder: readonly string[];
  /** Largest result, bytes. Larger results are refused. */
  readonly maxBytes: number;
}

const imageForms = {
  /** 960 pixels are half the width of a 1080p frame. The size limit suffices for 960 × 960 pixels of noise. */
  watermark: { maxSidePixels: 960, pixelFormat: 'rgba', encoder: ['-c:v', 'png'], maxBytes: 4 * 1024 ** 2 },
  /** A logo beside a heading, for high-density screens. The size limit suffices for 256 × 256 pixels of noise. */
  logo: { maxSidePixels: 256, pixelFormat: 'rgba', encoder: ['-c:v', 'png'], maxBytes: 512 * 1024 },
  /** Full-page image, also for link previews. */
  poster: {
    maxSidePixels: 1_280,
    pixelFormat: 'yuvj420p',
    encoder: ['-c:v', 'mjpeg', '-q:v', '4'],
    maxBytes: 1024 ** 2,
  },
} as const satisfies Record<string, ImageForm>;

interface PngImage {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Throws AppError `watermarkUnusable` for an unsupported, damaged or too large image, `programMissing` without FFmpeg. */
export async function toPng(file: Buffer, program?: string): Promise<PngImage> {
  const bytes = await toPicture(file, 'watermark', program);
  // IHDR, which contains width and height, is the first chunk (PNG, ISO/IEC 15948, §11.2.2).
  return { bytes, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Keeps only the pixels of the first image; metadata and further images are removed. Throws like `toPng`. */
export async function toPicture(file: Buffer, form: keyof typeof imageForms, program = 'ffmpeg'): Promise<Buffer> {
  if (file.length === 0) throw new AppError('watermarkUnusable', because('file.empty'));
  if (file.length > maxWatermarkBytes)
    throw new AppError('watermarkUnusable', because('watermark.too-large', { kib: maxWatermarkBytes / 1024 }));
  const demuxer = demuxerOf(file);
  if (!demuxer) throw new AppError('watermarkUnusable', because('watermark.type'));
  return convert(file, demuxer, imageForms[form], program);
}

/** Detects the demuxer from the content, regardless of the file name. */
function demuxerOf(file: Buffer): string | undefined {
  const starts = (hex: string) => file.subarray(0, hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'png_pipe';
  if (starts('ffd8ff')) return 'jpeg_pipe';
  if (starts('52494646') && file.toString('latin1', 8, 12) === 'WEBP') return 'webp_pipe';
  return undefined;
}

function argumentsOf(demuxer: string, { maxSidePixels, pixelFormat, encoder }: ImageForm): string[] {
  const fit = `scale='min(${maxSidePixels},iw)':'min(${maxSidePixels},ih)':force_original_aspect_ratio=decrease`;
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'pipe'],
    ...[
      '-threads',
      '1',
      '-max_pixels',
      String(maxSourcePixels),
      '-f',
      demuxer,
      '-i',
      'pipe:0',
      '-map',
      '0:v:0',
      '-frames:v',
      '1',
    ],
    ...['-vf', `${fit},format=${pixelFormat}`, '-map_metadata', '-1', ...encoder, '-f', 'image2pipe', 'pipe:1'],
  ];
}

async function convert(file: Buffer, demuxer: string, form: ImageForm, program: string): Promise<Buffer> {
  const args = argumentsOf(demuxer, form);
  const result = await runForImage({ args, program, input: file, maxBytes: form.maxBytes, timeoutMs });
  if (result.kind === 'image') return result.image;
  if (result.kind === 'no-program') throw new AppError('programMissing');
  throw new AppError('watermarkUnusable', reasonOf(result));
}

function reasonOf(result: Exclude<ImageResult, { kind: 'image' | 'no-program' }>): RefusalDetail {
  if (result.kind === 'stopped') return because('watermark.slow');
  if (result.kind === 'too-large') return because('watermark.too-detailed');
  const { log, signal } = result;
  if (tooManyPixels.test(log)) return because('watermark.too-many-pixels', { pixels: maxSourcePixels });
  if (limitReached(signal, [log])) return because('watermark.over-limit');
  const first = log.split('\n').find((line) => line !== '') ?? '';
  if (first === '') return because('watermark.undecodable');
  return because('watermark.undecodable-words', { words: first.replace(/^\[[^\]]*\]\s*/, '') });
}
