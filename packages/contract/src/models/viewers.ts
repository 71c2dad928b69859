// Playback quality as reported by players: current values, and values over time.
import { z } from 'zod';
import { monitorRanges } from '../values/monitor.ts';
import { viewerOutputs } from '../values/viewers.ts';

const figure = z.number().nullable();

/** Null if no player reported a value. Times in seconds, rates in bits per second, shares from 0 to 1. */
const viewerMetrics = z.object({
  /** Mean number of viewers whose players reported. */
  viewers: z.number(),
  /** Time to first frame (TTFF). */
  joinP50: figure,
  joinP95: figure,
  /** Share of viewers with a stall within a minute. */
  stalledShare: figure,
  /** Per hour of playback. */
  stallsPerHour: figure,
  receivedBps: figure,
  /** Received bitrate of viewers with stalls. */
  stalledReceivedBps: figure,
  /** Delay of the video behind live. */
  delayP50: figure,
  delayP95: figure,
  /** Share of received frames that were not displayed. */
  droppedShare: figure,
});

/** Metrics of the last minute over all outputs of a stream, for findings about it. */
export const streamViewers = viewerMetrics;
export type StreamViewers = z.infer<typeof streamViewers>;

const output = z.enum(viewerOutputs);
const column = z.array(figure);

export const viewersHistory = z.object({
  /** Whether playback reports are enabled. */
  viewerReports: z.boolean(),
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  stepMs: z.number(),
  /** Start of each interval, Unix milliseconds, oldest first. */
  timesMs: z.array(z.number()),
  /** One entry per output with viewers, over all streams or for the requested one. Intervals without reports are null. */
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
  /** Metrics of each stream and output over the whole range, most watched first; at most `maxViewerRows`. */
  streams: z.array(z.object({ app: z.string(), stream: z.string(), output, figures: viewerMetrics })),
});
export type ViewersHistory = z.infer<typeof viewersHistory>;
