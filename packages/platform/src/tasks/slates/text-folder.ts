// A temporary working folder for FFmpeg with the lines and fonts of a slate. FFmpeg filters then contain no texts or paths that could
// change them.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFont } from './find-font.ts';
import { type FrameSize, fontFile, layOut, lineFile, type SlateText, textFilters } from './slate-text.ts';

export interface TextsToDraw {
  readonly text: SlateText;
  readonly frame: FrameSize;
  readonly hasImage: boolean;
  readonly files?: Readonly<Record<string, Buffer>>;
}

export interface DrawnTexts {
  readonly folder: string | undefined;
  readonly filters: readonly string[];
}

/** Throws AppError `slateUnusable` if a font is missing. */
export async function withTexts<T>(
  { text, frame, hasImage, files = {} }: TextsToDraw,
  use: (texts: DrawnTexts) => Promise<T>,
): Promise<T> {
  const layout = layOut(text, frame, hasImage);
  if (!layout && Object.keys(files).length === 0) return use({ folder: undefined, filters: [] });
  const folder = await mkdtemp(join(tmpdir(), 'srs-stack-slate-'));
  try {
    for (const [index, { content }] of (layout?.lines ?? []).entries()) {
      await symlink(await findFont(content), join(folder, fontFile(index)));
      await writeFile(join(folder, lineFile(index)), content);
    }
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    return await use({ folder, filters: layout ? textFilters(layout) : [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
