// Parses the body of a playback report, or returns why the body is invalid. The sender is not authenticated, so every number has a limit.
// Pure.

import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import {
  type OutputReport,
  type ViewerOutput,
  type ViewerReport,
  viewerErrors,
  viewerOutputs,
} from '@srs-stack/contract/values/viewers.ts';
import { isFiniteNumber, isObject } from '@srs-stack/contract/wire/lenient.ts';

/** Longest period of one report, seconds: six times the usual period, because browsers throttle hidden tabs. */
const maxReportSeconds = 60;
/** Maximum number of stalls, errors and output changes in one report. A real viewer has fewer than one per half second. */
const maxCount = 120;
/** Highest accepted frame rate, frames per second. */
const maxFps = 240;
/** Highest accepted rate of received data, bytes per second (2 Gbit/s). */
const maxBytesPerSecond = 250_000_000;
/** Longest accepted time to first frame and longest accepted delay, seconds. */
const maxWaitSeconds = 600;

export type ParsedReport =
  | { readonly ok: true; readonly report: ViewerReport }
  | { readonly ok: false; readonly problem: string };

/** Never throws. Ignores unknown members. */
export function parseViewerReport(text: string): ParsedReport {
  return toViewerReport(parsed(text));
}

/** As `parseViewerReport`, for a parsed body. */
export function toViewerReport(value: unknown): ParsedReport {
  if (!isObject(value)) return refused('the body is not a JSON object');
  const { app, stream, outputs } = value;
  if (typeof app !== 'string' || typeof stream !== 'string') return refused('app and stream must be strings');
  if (!isValidAppName(app) || !isValidStreamName(stream)) return refused('app or stream is not a valid name');
  if (!Array.isArray(outputs) || outputs.length === 0 || outputs.length > viewerOutputs.length) {
    return refused(`outputs must be a list of 1 to ${viewerOutputs.length} entries`);
  }
  const rows = outputs.map(toOutput);
  const wrong = rows.find((row) => typeof row === 'string');
  if (typeof wrong === 'string') return refused(wrong);
  const reports = rows as OutputReport[];
  if (new Set(reports.map(({ output }) => output)).size < reports.length)
    return refused('an output protocol occurs twice in outputs');
  return { ok: true, report: { app, stream, outputs: reports } };
}

function toOutput(value: unknown): OutputReport | string {
  if (!isObject(value)) return 'each entry of outputs must be an object';
  const { seconds } = value;
  const output = viewerOutputs.find((name): name is ViewerOutput => name === value.output);
  if (!output) return `output must be one of ${viewerOutputs.join(', ')}`;
  if (!isWithin(seconds, maxReportSeconds)) return `the field seconds must be 0 to ${maxReportSeconds}`;
  const bounds: Readonly<Record<string, number>> = {
    stalls: maxCount,
    stalledSeconds: seconds,
    frames: maxReportSeconds * maxFps,
    droppedFrames: isFiniteNumber(value.frames) ? value.frames : 0,
    bytes: maxReportSeconds * maxBytesPerSecond,
    delay: maxWaitSeconds,
    join: maxWaitSeconds,
    moves: maxCount,
  };
  for (const [name, most] of Object.entries(bounds)) {
    if (value[name] !== undefined && !isWithin(value[name], most)) return `the field ${name} must be 0 to ${most}`;
  }
  const { errors = {} } = value;
  if (!isObject(errors)) return 'the field errors must be an object';
  const known = viewerErrors.filter((kind) => errors[kind] !== undefined);
  if (known.some((kind) => !isWithin(errors[kind], maxCount))) return `each count in errors must be 0 to ${maxCount}`;
  return {
    output,
    seconds,
    ...Object.fromEntries(Object.keys(bounds).flatMap((name) => (name in value ? [[name, value[name]]] : []))),
    ...(value.stalledLately === true && { stalledLately: true }),
    ...(known.length > 0 && { errors: Object.fromEntries(known.map((kind) => [kind, errors[kind]])) }),
  };
}

function isWithin(value: unknown, most: number): value is number {
  return isFiniteNumber(value) && value >= 0 && value <= most;
}

function refused(problem: string): ParsedReport {
  return { ok: false, problem };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
