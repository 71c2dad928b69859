// What a slate shows for a stream, and a key for the name of its file. Slates with equal look and format share a file. Pure.
import type { SlateText } from './slate-text.ts';

export interface SlateClip {
  /** Absolute path. */
  readonly path: string;
  readonly version: string;
}

export interface SlateFrame {
  readonly jpeg: Buffer;
  /** Hash of the image content. */
  readonly version: string;
  readonly isBlurred: boolean;
}

export interface SlateLook extends SlateText {
  /** '' for a black frame. */
  readonly image: string;
  readonly clip?: SlateClip;
  readonly frame?: SlateFrame;
}

export function lookKey({ image, title, text, clip, frame }: SlateLook): string {
  const added = [title, text, clip?.version ?? '', frame ? `${frame.version}${frame.isBlurred ? ' blurred' : ''}` : ''];
  // A look with only an image keeps the file name of earlier releases.
  return added.every((part) => part === '') ? image : JSON.stringify([image, ...added]);
}
