// Parses FFmpeg's output: the status line for display, and the `-progress` blocks for decisions.

/** Maximum length of an unfinished log line, characters. */
const maxPendingLength = 64 * 1024;

export interface LineSplitter {
  push(chunk: string): string[];
  rest(): string;
}

/** Splits at CR and LF, because FFmpeg ends status lines with CR. Skips empty lines. */
export function createLineSplitter(): LineSplitter {
  let pending = '';
  return {
    push(chunk) {
      const parts = (pending + chunk).split(/[\r\n]+/);
      pending = parts.pop() ?? '';
      if (pending.length > maxPendingLength) {
        parts.push(pending);
        pending = '';
      }
      return parts.filter((part) => part.trim() !== '');
    },
    rest: () => pending.trim(),
  };
}

/** Trims the line, replaces `= ` by `=`, and line ends by spaces. */
export function cleanStatusLine(text: string): string {
  let clean = text.replace(/[\r\n]/g, ' ').trim();
  while (clean.includes('= ')) clean = clean.replaceAll('= ', '=');
  return clean;
}

const statusTime = /time=(\d{2,}:\d{2}:\d{2}\.\d+)/;
const statusSpeed = /speed=(\d+(?:\.\d+)?(?:e[+-]?\d+)?)x/;

/** The `time` of a status line. Undefined for other lines, `N/A` and negative times. */
export function statusTimeOf(line: string): string | undefined {
  if (!line.includes('size=') && !line.includes('time=')) return undefined;
  const clean = cleanStatusLine(line);
  return statusSpeed.test(clean) ? statusTime.exec(clean)?.[1] : undefined;
}

/** One block of `-progress` output. */
export interface ProgressBlock {
  /** Media time written, microseconds. */
  readonly outTimeUs: number;
  readonly totalBytes: number;
  /** Frames written; 0 without video. */
  readonly frames: number;
}

/** Collects `key=value` lines. Returns each complete block with a valid media time. */
export function createProgressReader(): { push(line: string): ProgressBlock | undefined } {
  let fields = new Map<string, string>();
  return {
    push(line) {
      const split = line.indexOf('=');
      if (split < 0) return undefined;
      const key = line.slice(0, split).trim();
      fields.set(key, line.slice(split + 1).trim());
      if (key !== 'progress') return undefined;
      const complete = fields;
      fields = new Map();
      const outTimeUs = Number(complete.get('out_time_us'));
      const totalBytes = Number(complete.get('total_size'));
      if (!Number.isFinite(outTimeUs) || outTimeUs < 0) return undefined;
      const frames = Number(complete.get('frame'));
      const known = (figure: number) => (Number.isFinite(figure) ? figure : 0);
      return { outTimeUs, totalBytes: known(totalBytes), frames: known(frames) };
    },
  };
}
