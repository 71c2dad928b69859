// Converts one keyframe to a JPEG with FFmpeg over pipes. FFmpeg runs at low priority, because media takes precedence.
import { maxPicturePixels } from '@srs-stack/process/programs/media-limits.ts';
import { runForImage } from './image-run.ts';

const niceness = 10;

export interface PictureSize {
  /** Maximum width, pixels; wider frames are scaled down. */
  readonly maxWidth: number;
  /** JPEG quality on FFmpeg's scale; 2 is best. */
  readonly quality: number;
  /** Largest image, bytes. Larger images are dropped. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** Size for lists and cards. Typical images have a tenth of the maximum size. */
const previewSize: PictureSize = { maxWidth: 320, quality: 5, maxBytes: 512 * 1024, timeoutMs: 10_000 };
/** Size for snapshots; an image of noise in full HD has 1 MB. FFmpeg usually takes 0.2 s, a few times more on a busy machine. */
export const snapshotSize: PictureSize = { maxWidth: 1920, quality: 3, maxBytes: 2 * 1024 ** 2, timeoutMs: 30_000 };

const pictureArguments = ({ maxWidth, quality }: PictureSize) => [
  ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'pipe'],
  ...['-max_pixels', String(maxPicturePixels)],
  ...['-threads', '1', '-f', 'flv', '-i', 'pipe:0', '-map', '0:v:0', '-frames:v', '1'],
  ...['-vf', `scale='min(${maxWidth},iw)':-2`, '-q:v', String(quality), '-f', 'mjpeg', 'pipe:1'],
];

/** Converts a keyframe to a JPEG. Resolves with undefined when FFmpeg is missing or cannot decode the keyframe. Never rejects. */
export async function takeStillImage(
  keyframe: Buffer,
  signal: AbortSignal,
  size: PictureSize = previewSize,
): Promise<Buffer | undefined> {
  const { maxBytes, timeoutMs } = size;
  const args = pictureArguments(size);
  const result = await runForImage({ args, input: keyframe, maxBytes, timeoutMs, signal, niceness });
  return result.kind === 'image' ? result.image : undefined;
}
