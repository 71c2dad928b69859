// Length of the rewind window of each stream, which the control plane writes for the gateways of its machine: `config/rewind.json`. Parsed
// without schemas, because a gateway loads none.
import { matchesPattern } from '../stream-pattern.ts';

/** Name of the file in the folder `config/` of the data folder. */
export const rewindSettingsFile = 'rewind.json';

export interface RewindSettings {
  /** Length of the window of each stream, minutes; 0: no window. */
  readonly minutes: number;
  /** Maximum size of all windows together, bytes. */
  readonly maxBytes: number;
  /** `app/stream` with `*` for any characters; an empty list means all streams. */
  readonly patterns: readonly string[];
  /** Streams that are being recorded. Their window starts with the recording if that is earlier. */
  readonly recorded: readonly RecordedStream[];
}

export interface RecordedStream {
  readonly app: string;
  readonly stream: string;
  /** Start of the recording, milliseconds since 1970. */
  readonly sinceMs: number;
}

export const noRewind: RewindSettings = { minutes: 0, maxBytes: 0, patterns: [], recorded: [] };

/** Whether the stream has a window. */
export function isRewound(
  { minutes, patterns }: RewindSettings,
  { app, stream }: { app: string; stream: string },
): boolean {
  // Excludes renditions, which are part of another stream; only their names contain `~`.
  if (minutes <= 0 || stream.includes('~')) return false;
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, `${app}/${stream}`));
}

/** @throws when the text is invalid. */
export function parseRewindSettings(text: string): RewindSettings {
  const { minutes, maxBytes, patterns, recorded } = JSON.parse(text) as Record<keyof RewindSettings, unknown>;
  if (!isCount(minutes) || !isCount(maxBytes))
    throw new Error('the field `minutes` or `maxBytes` is missing or not a number');
  if (!Array.isArray(patterns) || !patterns.every((each) => typeof each === 'string')) {
    throw new Error('the field `patterns` is missing or not a list of strings');
  }
  if (!Array.isArray(recorded)) throw new Error('the field `recorded` is missing or not a list');
  return { minutes, maxBytes, patterns, recorded: recorded.map(toRecorded) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function toRecorded(entry: unknown): RecordedStream {
  const { app, stream, sinceMs } = (entry ?? {}) as Record<keyof RecordedStream, unknown>;
  if (typeof app !== 'string' || typeof stream !== 'string' || !isCount(sinceMs)) {
    throw new Error('an entry of the field recorded lacks app, stream or sinceMs, or one of them has the wrong type');
  }
  return { app, stream, sinceMs };
}
