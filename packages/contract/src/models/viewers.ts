// Playback quality reported by players: current values and history.
import { z } from 'zod';
import { monitorRanges } from '../values/monitor.ts';
import { viewerOutputs } from '../values/viewers.ts';

const figure = z.number().nullable();

/** Null without reports. Times are in seconds, rates in bits per second, shares from 0 to 1. */
const viewerMetrics = z.object({
  /** Mean number of viewers with reports. */
  viewers: z.number(),
  /** Time to first frame (TTFF), median. */
  joinP50: figure,
  joinP95: figure,
  /** Share of viewers with a stall within a minute. */
  stalledShare: figure,
  /** Number of stalls per hour of playback. */
  stallsPerHour: figure,
  receivedBps: figure,
  /** Bitrate received by viewers with stalls. */
  stalledReceivedBps: figure,
  /** Latency behind live, median. */
  delayP50: figure,
  delayP95: figure,
  /** Share of received frames that were not displayed. */
  droppedShare: figure,
});

/** Metrics of a stream in the last minute, over all its outputs. */
export const streamViewers = viewerMetrics;
export type StreamViewers = z.infer<typeof streamViewers>;

const output = z.enum(viewerOutputs);
const column = z.array(figure);

export const viewersHistory = z.object({
  viewerReports: z.boolean(),
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  stepMs: z.number(),
  /** Start times of the intervals, Unix milliseconds, oldest first. */
  timesMs: z.array(z.number()),
  /** One entry per output with viewers, of the requested stream or of all streams. Intervals without reports are null. */
  outputs: z.array(
    z.object({
      output,
      viewers: column,
      joinP50: column,
      joinP95: column,
      stalledShare: column,
      stallsPerHour: column,
      receivedBps: column,
      delayP50: column,
    }),
  ),
  /** Metrics per stream and output for the whole range, most watched first; at most `maxViewerRows`. */
  streams: z.array(z.object({ app: z.string(), stream: z.string(), output, figures: viewerMetrics })),
});
export type ViewersHistory = z.infer<typeof viewersHistory>;
