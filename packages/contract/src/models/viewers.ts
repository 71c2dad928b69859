// What viewers get, as their players report it: figures of one moment, and over time.
import { z } from 'zod';
import { monitorRanges } from '../values/monitor.ts';
import { viewerOutputs } from '../values/viewers.ts';

const figure = z.number().nullable();

/** Null where no player told. Times in seconds, rates in bits per second, shares of 1. */
const viewerFigures = z.object({
  /** Viewers whose players reported, on average. */
  viewers: z.number(),
  /** From asking to the first picture. */
  joinP50: figure,
  joinP95: figure,
  /** Of the viewers, who stalled within a minute. */
  stalledShare: figure,
  /** For each hour that somebody watched. */
  stallsPerHour: figure,
  receivedBps: figure,
  /** Of those who stalled. */
  stalledReceivedBps: figure,
  /** How far the picture is behind. */
  delayP50: figure,
  delayP95: figure,
  /** Frames that were received and not shown. */
  droppedShare: figure,
});

/** Of the last minute, for the sentences about a stream: all its outputs together. */
export const streamViewers = viewerFigures;
export type StreamViewers = z.infer<typeof streamViewers>;

const output = z.enum(viewerOutputs);
const column = z.array(figure);

export const viewersHistory = z.object({
  /** Whether players report at all. */
  viewerReports: z.boolean(),
  range: z.enum(monitorRanges),
  fromMs: z.number(),
  toMs: z.number(),
  stepMs: z.number(),
  /** Start of each step, Unix milliseconds, oldest first. */
  timesMs: z.array(z.number()),
  /** Of all streams, or of the one asked for: one for each output that had viewers. A step without reports is null. */
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
  /** Each stream and output of the range as a whole, most watched first; at most `maxViewerRows`. */
  streams: z.array(z.object({ app: z.string(), stream: z.string(), output, figures: viewerFigures })),
});
export type ViewersHistory = z.infer<typeof viewersHistory>;
