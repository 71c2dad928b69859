// What a slate shows for a stream, and the name of its file: slates with the same look and format share a file. Pure.
import type { SlateText } from './slate-text.ts';

export interface SlateClip {
  /** Absolute path. */
  readonly path: string;
  /** Changes with the content of the file. */
  readonly version: string;
}

export interface SlateFrame {
  readonly jpeg: Buffer;
  /** Hash of its content. */
  readonly version: string;
  readonly isBlurred: boolean;
}

export interface SlateLook extends SlateText {
  /** Name of the image; '' for a black frame. */
  readonly image: string;
  readonly clip?: SlateClip;
  readonly frame?: SlateFrame;
}

export function lookKey({ image, title, text, clip, frame }: SlateLook): string {
  const added = [title, text, clip?.version ?? '', frame ? `${frame.version}${frame.isBlurred ? ' blurred' : ''}` : ''];
  // A look with only an image has the same name as in earlier releases.
  return added.every((part) => part === '') ? image : JSON.stringify([image, ...added]);
}
