// Draws a slate with its texts as one JPEG, with the FFmpeg filters of encoded slates.
import { AppError, because, type RefusalDetail, verbatim } from '@srs-stack/contract';
import { runForImage } from '../../workers/image-run.ts';
import { probeClip } from './encode-slate.ts';
import { previewArgs } from './slate-args.ts';
import type { SlateClip } from './slate-look.ts';
import type { SlateText } from './slate-text.ts';
import { withTexts } from './text-folder.ts';

/** Frame size of every preview, pixels. */
const frame = { width: 1280, height: 720 };
/** Timeout of one preview, milliseconds. */
const timeoutMs = 15_000;
/** Maximum size of a JPEG, bytes. Even noise of this frame size is smaller. */
const maxBytes = 2 * 1024 ** 2;

export interface PreviewContent {
  /** A JPEG; undefined for a black frame. */
  readonly image: Buffer | undefined;
  readonly clip: SlateClip | undefined;
  readonly text: SlateText;
}

/** Throws AppError `slateUnusable` or `programMissing`, and errors of probing a clip. */
export async function drawPreview({ image, clip: file, text }: PreviewContent): Promise<Buffer> {
  const clip = file && (await probeClip(file.path));
  const hasImage = image !== undefined || clip?.hasVideo === true;
  const files = image && { files: { 'image.jpg': image } };
  return withTexts({ text, frame, hasImage, ...files }, async ({ folder, filters }) => {
    const source = { image: image && `${folder}/image.jpg`, isBlurred: false, textFilters: filters, clip };
    const result = await runForImage({ args: previewArgs(frame, source), folder, maxBytes, timeoutMs });
    if (result.kind === 'image') return result.image;
    if (result.kind === 'no-program') throw new AppError('programMissing');
    throw new AppError('slateUnusable', reasonOf(result.log));
  });
}

function reasonOf(log: string): RefusalDetail {
  const words = log.trim().split('\n').at(-1) ?? '';
  return words === '' ? verbatim('FFmpeg exited without creating an image') : because('slate.undrawable', { words });
}
