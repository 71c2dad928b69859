// Preview images of the seek bar, listed in a WebVTT file. A cue names an image, or with `#xywh=` a part of an image (Media Fragments URI
// 1.0 §4.2.2).

export interface StoryboardCue {
  /** Seconds since the start of the rewind window. */
  readonly start: number;
  readonly end: number;
  readonly url: string;
  /** Part of the image, pixels; undefined means the whole image. */
  readonly part?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** Parses the cues and omits images of other servers. Never throws. */
export function parseStoryboard(text: string, base: string): StoryboardCue[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const at = lines.findIndex((line) => line.includes('-->'));
    const [start, end] = (lines[at] ?? '').split('-->').map(secondsOf);
    const url = at < 0 ? null : URL.parse(lines[at + 1]?.trim() ?? '', base);
    if (start === undefined || end === undefined || !(end > start) || url?.origin !== new URL(base).origin) return [];
    const [x, y, width, height] = /^#xywh=(?:pixel:)?([\d,]+)$/.exec(url.hash)?.[1]?.split(',').map(Number) ?? [];
    url.hash = '';
    const part = height === undefined ? {} : { part: { x: x!, y: y!, width: width!, height } };
    return [{ start, end, url: url.href, ...part }];
  });
}

/** Seconds of `01:02:03.450` or `02:03.450`; NaN for anything else. */
function secondsOf(text: string): number {
  const match = /^\s*(?:(\d+):)?(\d\d):(\d\d\.\d{3})/.exec(text);
  if (!match) return Number.NaN;
  return Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
}

/** @param behindSeconds distance to the end of the rewind window. */
export function cueAt(cues: readonly StoryboardCue[], behindSeconds: number): StoryboardCue | undefined {
  const end = cues.at(-1)?.end ?? 0;
  const moment = Math.max(cues[0]?.start ?? 0, end - behindSeconds);
  return cues.findLast(({ start }) => start <= moment);
}
