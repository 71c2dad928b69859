// Settings of rewind windows: the control plane writes `config/rewind.json` for the gateways of its machine. Parsed without schemas,
// because a gateway loads no schema library.
import { matchesPattern } from '../stream-pattern.ts';

export const rewindSettingsFile = 'rewind.json';

export interface RewindSettings {
  /** Length of the rewind window of each stream, minutes; 0 disables windows. */
  readonly minutes: number;
  /** Maximum size of all windows together, bytes. */
  readonly maxBytes: number;
  /** `app/stream`; `*` matches any characters. An empty list means all streams. */
  readonly patterns: readonly string[];
  /** Streams that are being recorded. Their window reaches back to the start of the recording, if this is earlier. */
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
  // The name of a rendition contains `~`. A rendition is part of another stream and has no window of its own.
  if (minutes <= 0 || stream.includes('~')) return false;
  return patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, `${app}/${stream}`));
}

/** Parses settings. @throws for an invalid text. */
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
