// The ladder: renditions of a stream in several resolutions and bitrates, in one playlist `/app/stream/master.m3u8`.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../stream-pattern.ts';
import {
  ladderEncoders,
  ladderPresets,
  ladderRules,
  ladderSpeeds,
  leftOutReasons,
  maxLadderPatterns,
  maxLadderSteps,
} from '../values/ladder.ts';

const within = ({ min, max }: { min: number; max: number }) => z.number().int().min(min).max(max);

export const ladderStep = z.object({
  /** Length of the shorter side, pixels, even. Sources with a smaller shorter side do not get this rendition. */
  height: within(ladderRules.height).refine((height) => height % 2 === 0),
  /**
   * Maximum frame rate; 0 for the source's rate. The actual rate is the source's rate divided by a whole number, so that keyframes
   * stay aligned.
   */
  fps: z.union([z.literal(0), within(ladderRules.fps)]).default(0),
  /** Video bitrate, kbit/s, limited to the source's bitrate. */
  kbps: within(ladderRules.kbps),
});
export type LadderStep = z.infer<typeof ladderStep>;

export const ladderConfig = z.object({
  enabled: z.boolean().default(false),
  /** Stream patterns such as `live/*`; an empty list means all streams. */
  streams: z
    .array(z.string().max(maxStreamPatternLength).refine(isValidStreamPattern))
    .max(maxLadderPatterns)
    .default([]),
  /** `demand`: runs while the stream has viewers. `live`: runs while the stream is live. */
  start: z.enum(['demand', 'live']).default('demand'),
  /** Seconds without viewers until the ladder stops (`demand` only). */
  idleSeconds: within(ladderRules.idleSeconds).default(60),
  /** Maximum number of running ladders. Further streams have no renditions. */
  maxRunning: within(ladderRules.maxRunning).default(4),
  encoder: z.enum(ladderEncoders).default('libx264'),
  speed: z.enum(ladderSpeeds).default('veryfast'),
  /** Adds the source stream as the first rendition. */
  keepsSource: z.boolean().default(true),
  steps: z
    .array(ladderStep)
    .max(maxLadderSteps)
    .refine((steps) => new Set(steps.map(({ height }) => height)).size === steps.length)
    .default([...ladderPresets]),
  /** Bitrate of an additional audio-only rendition, kbit/s; 0 for none. */
  audioKbps: z.union([z.literal(0), within(ladderRules.audioKbps)]).default(64),
});
export type LadderConfig = z.infer<typeof ladderConfig>;

export const queryLadder = defineEndpoint({
  ...paths.queryLadder,
  tag: 'Ladder of renditions',
  summary: 'Returns the settings of the ladder of renditions.',
  request: emptyRequest,
  response: ladderConfig,
});

export const applyLadder = defineEndpoint({
  ...paths.applyLadder,
  tag: 'Ladder of renditions',
  summary: 'Saves the settings of the ladder; running ladders restart with them.',
  request: ladderConfig.extend({ token: z.string().optional() }),
  response: nullData,
});

const renditionRow = z.object({
  /** `source`, `720p`, `audio`. */
  step: z.string(),
  /** Pixels; 0 for audio. */
  width: z.number().int(),
  height: z.number().int(),
  fps: z.number(),
  /** Measured, kbit/s. */
  kbps: z.number(),
  /** RFC 6381 codec names; empty until known. */
  codecs: z.string(),
  viewers: z.number().int(),
  isLive: z.boolean(),
});
export type RenditionRow = z.infer<typeof renditionRow>;

const ladderTask = z.object({
  /** `app/stream`. */
  url: z.string(),
  app: z.string(),
  stream: z.string(),
  playlist: z.string(),
  renditions: z.array(renditionRow),
  leftOut: z.array(z.object({ step: z.string(), reason: z.enum(leftOutReasons) })),
  /** Encoded media time divided by elapsed time, over the last seconds; 0 if unknown. */
  speed: z.number(),
  /** The encoding has been slower than real time for some time. */
  isTooSlow: z.boolean(),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type LadderTask = z.infer<typeof ladderTask>;

export const queryLadderTasks = defineEndpoint({
  ...paths.queryLadderTasks,
  tag: 'Ladder of renditions',
  summary: 'Lists the running ladders with their renditions and the viewers of each.',
  request: emptyRequest,
  response: z.object({ tasks: z.array(ladderTask) }),
});

const encoderFacts = z.object({
  encoder: z.enum(ladderEncoders),
  /** Whether a test encoding of ten frames succeeded on this machine. */
  isUsable: z.boolean(),
  why: z.string(),
});

const stepCost = z.object({
  height: z.number().int(),
  fps: z.number().int(),
  /** CPU time per second of media, cores: 0.5 is half a core. */
  cores: z.number(),
});

export const ladderCosts = z.object({
  cores: z.number().int(),
  /** The measurement is not complete. Repeat the call for further results. */
  isMeasuring: z.boolean(),
  encoders: z.array(encoderFacts),
  encoder: z.enum(ladderEncoders),
  speed: z.enum(ladderSpeeds),
  sourceHeight: z.number().int(),
  /** CPU cores for reading and decoding the source, needed once for all renditions; 0 if unknown. */
  decodeCores: z.number(),
  steps: z.array(stepCost),
  /** Proposed settings with the best quality that use at most three quarters of the CPU. Null until measured. */
  proposal: z
    .object({ encoder: z.enum(ladderEncoders), speed: z.enum(ladderSpeeds), heights: z.array(z.number().int()) })
    .nullable(),
});
export type LadderCosts = z.infer<typeof ladderCosts>;

export const measureLadder = defineEndpoint({
  ...paths.measureLadder,
  tag: 'Ladder of renditions',
  summary: 'Returns what each rendition costs on this machine, measured once with short encodes in the background.',
  request: z.object({
    token: z.string().optional(),
    encoder: z.enum(ladderEncoders).default('libx264'),
    speed: z.enum(ladderSpeeds).default('veryfast'),
    steps: z
      .array(ladderStep)
      .max(maxLadderSteps)
      .default([...ladderPresets]),
  }),
  response: ladderCosts,
});
