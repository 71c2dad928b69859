// Times and preview images of the rewind window. Pure.
import type { Span } from './clip-view.ts';

/** A preview image of the stream. */
export interface StoryboardImage {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly url: string;
}

const pictureLine = /^.+\.rewind-(\d{13})\.jpg(?:\?.*)?$/gm;

/** Parses the images of a WebVTT storyboard. @param base address of the storyboard. */
export function readStoryboard(text: string, base: string): StoryboardImage[] {
  return [...text.matchAll(pictureLine)].map(([line, atMs]) => ({ atMs: Number(atMs), url: new URL(line, base).href }));
}

/** Returns the last image up to `timeMs`, or the first image if all are later. */
export function imageAt(pictures: readonly StoryboardImage[], timeMs: number): StoryboardImage | undefined {
  return pictures.findLast(({ atMs }) => atMs <= timeMs) ?? pictures[0];
}

/** Selects `count` images at equal intervals over the range. */
export function imagesFor(
  pictures: readonly StoryboardImage[],
  { sinceMs, untilMs }: Span,
  count: number,
): StoryboardImage[] {
  const stepMs = (untilMs - sinceMs) / count;
  const found = Array.from({ length: count }, (_, index) => imageAt(pictures, sinceMs + (index + 0.5) * stepMs));
  return found.filter((picture) => picture !== undefined);
}

/** Local time of day with seconds, or with milliseconds if `isExact`. */
export function timeOfDay(ms: number, isExact = false): string {
  const date = new Date(ms);
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part)).join(':');
  return isExact ? `${clock}.${pad(date.getMilliseconds(), 3)}` : clock;
}
