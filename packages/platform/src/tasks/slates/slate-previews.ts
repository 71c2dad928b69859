// Draws slate previews for the stored setting and for unsaved changes.
import { AppError, because } from '@srs-stack/contract';
import type { drawPreview } from './draw-preview.ts';
import type { SlateClipFile } from './slate-clip.ts';
import type { SlateFiles, SlateFilesDeps } from './slate-files.ts';
import type { SlateText } from './slate-text.ts';

/** Maximum number of parallel previews. A preview uses one CPU core for a fifth of a second. */
const maxPreviews = 4;

export interface SlatePreviewsDeps extends Pick<SlateFilesDeps, 'toImage'> {
  readonly files: Pick<SlateFiles, 'readImage'>;
  readonly clip: Pick<SlateClipFile, 'find'>;
  readonly drawPreview: typeof drawPreview;
}

export interface PreviewToDraw {
  /** Name of a stored image, or a Base64 file; '' for a black frame. */
  readonly image: { readonly stored: string } | { readonly sent: string };
  /** Library file (`target`); '' for none. */
  readonly clip: string;
  readonly text: SlateText;
}

export class SlatePreviews {
  readonly #deps: SlatePreviewsDeps;
  #drawing = 0;

  constructor(deps: SlatePreviewsDeps) {
    this.#deps = deps;
  }

  /** Resolves with a `data:` URL. Throws `serverBusy`, `watermarkUnusable`, and the errors of `drawPreview`. */
  async draw({ image, clip, text }: PreviewToDraw): Promise<string> {
    if (this.#drawing >= maxPreviews) throw new AppError('serverBusy', because('slate.busy'));
    this.#drawing++;
    try {
      const file = clip === '' ? undefined : await this.#deps.clip.find(clip);
      const jpeg = await this.#deps.drawPreview({ image: await this.#read(image), clip: file, text });
      return `data:image/jpeg;base64,${jpeg.toString('base64')}`;
    } finally {
      this.#drawing--;
    }
  }

  async #read(image: PreviewToDraw['image']): Promise<Buffer | undefined> {
    const { files, toImage } = this.#deps;
    if ('stored' in image) return image.stored === '' ? undefined : files.readImage(image.stored);
    return image.sent === '' ? undefined : toImage(Buffer.from(image.sent, 'base64'));
  }
}
