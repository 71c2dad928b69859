// Layout of the two texts of a slate: line breaks, font size, and a strip on an image. Pure.

export interface SlateText {
  readonly title: string;
  readonly text: string;
}

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Font size of the title relative to the shorter side of the frame. */
const titleSize = 0.09;
const textSize = 0.05;
/** Distance between lines, and between both texts, relative to the font size. */
const lineHeight = 1.3;
/** Padding of texts and strip relative to the shorter side of the frame. */
const padding = 0.04;
/** Maximum line width relative to the frame width. */
const lineWidth = 0.88;
/** Width of a character in em: exact for ideographs, otherwise the average of capital letters in a bold font. */
const wideEm = 1;
const narrowEm = 0.66;
/** Chinese, Japanese and Korean characters, which are as wide as high. */
export const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
/** Characters that must not start a line. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}\s]+$/u;
/** Scales of the font size, tried in this order until the texts fit into the frame. */
const scales = [1, 0.8, 0.65, 0.5, 0.4];
/** Color and opacity of the strip behind texts on an image. */
const stripColor = 'black@0.62';

interface DrawnLine {
  readonly content: string;
  readonly sizePixels: number;
  readonly topPixels: number;
}

export interface TextLayout {
  readonly lines: readonly DrawnLine[];
  /** Undefined on a black frame. */
  readonly strip: { readonly topPixels: number; readonly heightPixels: number } | undefined;
}

/** Places the texts in the lower part of an image, or in the middle of a black frame. Undefined without texts. */
export function layOut(text: SlateText, frame: FrameSize, hasImage: boolean): TextLayout | undefined {
  const border = Math.round(Math.min(frame.width, frame.height) * padding);
  const sized = scales.map((scale) => linesOf(text, frame, scale));
  const block = sized.find(({ heightPixels }) => heightPixels <= frame.height - border * 4) ?? sized.at(-1)!;
  if (block.lines.length === 0) return undefined;
  const { heightPixels } = block;
  const free = frame.height - heightPixels;
  const topPixels = hasImage ? Math.max(border, free - border * 2) : Math.max(0, Math.round(free / 2));
  const lines = block.lines.map((line) => ({ ...line, topPixels: topPixels + line.topPixels }));
  const strip = { topPixels: topPixels - border, heightPixels: heightPixels + border * 2 };
  return { lines, strip: hasImage ? strip : undefined };
}

function linesOf({ title, text }: SlateText, { width, height }: FrameSize, scale: number) {
  const unit = Math.min(width, height) * scale;
  const titles = brokenLines(title, Math.round(unit * titleSize), width);
  const texts = brokenLines(text, Math.round(unit * textSize), width);
  const gap = titles.length > 0 && texts.length > 0 ? Math.round(unit * padding * 0.5) : 0;
  let heightPixels = 0;
  const lines = [...titles, ...texts].map(({ content, sizePixels, stepPixels }, index) => {
    if (index === titles.length) heightPixels += gap;
    const line = { content, sizePixels, topPixels: heightPixels };
    heightPixels += stepPixels;
    return line;
  });
  return { lines, heightPixels };
}

/** File names in FFmpeg's working folder: the filter then contains neither texts nor paths. */
export const fontFile = (index: number): string => `font-${index}`;
export const lineFile = (index: number): string => `line-${index}.txt`;

/** Filters that draw the layout. Each line has a separate font. */
export function textFilters({ lines, strip }: TextLayout): string[] {
  const box = strip && `drawbox=x=0:y=${strip.topPixels}:w=iw:h=${strip.heightPixels}:color=${stripColor}:t=fill`;
  const texts = lines.map(({ sizePixels, topPixels }, index) =>
    [
      `drawtext=fontfile=${fontFile(index)}:textfile=${lineFile(index)}:expansion=none`,
      `fontsize=${sizePixels}:fontcolor=white:x=(w-text_w)/2`,
      `y=${topPixels}+(${Math.round(sizePixels * lineHeight)}-text_h)/2`,
    ].join(':'),
  );
  return [...(box ? [box] : []), ...texts];
}

function brokenLines(text: string, sizePixels: number, width: number) {
  const stepPixels = Math.round(sizePixels * lineHeight);
  return breakLines(text, (width * lineWidth) / sizePixels).map((content) => ({ content, sizePixels, stepPixels }));
}

/** Breaks a text into lines between words. Words longer than a line are also broken. */
export function breakLines(text: string, maxEm: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text, maxEm)) {
    if (line.trim() !== '' && emOf(line + part.trimEnd()) > maxEm && !closing.test(part)) {
      lines.push(line.trim());
      line = '';
    }
    line += part;
  }
  if (line.trim() !== '') lines.push(line.trim());
  return lines;
}

/** Words of any script. A word longer than a line is split into grapheme clusters. */
function partsOf(text: string, maxEm: number): string[] {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].map(({ segment }) => segment);
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return words.flatMap((word) =>
    emOf(word) <= maxEm ? [word] : [...characters.segment(word)].map(({ segment }) => segment),
  );
}

function emOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (wide.test(character) ? wideEm : narrowEm), 0);
}
