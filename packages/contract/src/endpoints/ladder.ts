// The ladder of renditions: one stream in several sizes behind one playlist, `/app/stream/master.m3u8`.
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
  /** Rows of pixels of the shorter side; even. A source that has fewer has no such step. */
  height: within(ladderRules.height).refine((height) => height % 2 === 0),
  /** Most frames per second, 0 as the source: a whole fraction of the source's, so that keyframes stay where they are. */
  fps: z.union([z.literal(0), within(ladderRules.fps)]).default(0),
  /** Of the picture, kbit/s; never more than the source has. */
  kbps: within(ladderRules.kbps),
});
export type LadderStep = z.infer<typeof ladderStep>;

export const ladderConfig = z.object({
  /** Switched on. */
  enabled: z.boolean().default(false),
  /** Patterns of streams, `live/*`; empty: all. */
  streams: z
    .array(z.string().max(maxStreamPatternLength).refine(isValidStreamPattern))
    .max(maxLadderPatterns)
    .default([]),
  /** `demand`: while somebody watches; `live`: while the stream is live. */
  start: z.enum(['demand', 'live']).default('demand'),
  /** On demand: time without a viewer after which it ends, seconds. */
  idleSeconds: within(ladderRules.idleSeconds).default(60),
  /** Ladders at one time; further streams are shown as they are. */
  maxRunning: within(ladderRules.maxRunning).default(4),
  encoder: z.enum(ladderEncoders).default('libx264'),
  speed: z.enum(ladderSpeeds).default('veryfast'),
  /** The stream itself is the first step, as it came. */
  keepsSource: z.boolean().default(true),
  /** Heights differ. */
  steps: z
    .array(ladderStep)
    .max(maxLadderSteps)
    .refine((steps) => new Set(steps.map(({ height }) => height)).size === steps.length)
    .default([...ladderPresets]),
  /** A step with the sound alone, kbit/s; 0 without. */
  audioKbps: z.union([z.literal(0), within(ladderRules.audioKbps)]).default(64),
});
export type LadderConfig = z.infer<typeof ladderConfig>;

export const queryLadder = defineEndpoint({
  ...paths.queryLadder,
  tag: 'Ladder',
  summary: 'Settings of the ladder of renditions.',
  request: emptyRequest,
  response: ladderConfig,
});

export const applyLadder = defineEndpoint({
  ...paths.applyLadder,
  tag: 'Ladder',
  summary: 'Saves the settings of the ladder; ladders that run begin anew with them.',
  request: ladderConfig.extend({ token: z.string().optional() }),
  response: nullData,
});

const renditionRow = z.object({
  /** `source`, `720p`, `audio`. */
  step: z.string(),
  /** Pixels; 0 of the sound. */
  width: z.number().int(),
  height: z.number().int(),
  /** Measured frames per second. */
  fps: z.number(),
  /** Measured, kbit/s. */
  kbps: z.number(),
  /** Names of RFC 6381; empty until they are known. */
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
  /** Path of the playlist that names all renditions. */
  playlist: z.string(),
  renditions: z.array(renditionRow),
  leftOut: z.array(z.object({ step: z.string(), reason: z.enum(leftOutReasons) })),
  /** Media time against the clock over the last seconds; 0 while not known. */
  speed: z.number(),
  /** It has not kept up with the source for a while. */
  isTooSlow: z.boolean(),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type LadderTask = z.infer<typeof ladderTask>;

export const queryLadderTasks = defineEndpoint({
  ...paths.queryLadderTasks,
  tag: 'Ladder',
  summary: 'Ladders that run now, with what each of their renditions is and who watches it.',
  request: emptyRequest,
  response: z.object({ tasks: z.array(ladderTask) }),
});

const encoderFacts = z.object({
  encoder: z.enum(ladderEncoders),
  /** It has encoded ten pictures on this machine. */
  isUsable: z.boolean(),
  /** FFmpeg's words when it has not. */
  why: z.string(),
});

const stepCost = z.object({
  height: z.number().int(),
  fps: z.number().int(),
  /** Processor time per second of media: 0.5 is half a core. */
  cores: z.number(),
});

export const ladderCosts = z.object({
  cores: z.number().int(),
  /** More comes: ask again. */
  isMeasuring: z.boolean(),
  encoders: z.array(encoderFacts),
  encoder: z.enum(ladderEncoders),
  speed: z.enum(ladderSpeeds),
  /** Of the source that was encoded to measure. */
  sourceHeight: z.number().int(),
  /** To read and decode the source, once for all steps; 0 while not known. */
  decodeCores: z.number(),
  /** Those that are known. */
  steps: z.array(stepCost),
  /** Fits into three quarters of the machine with the fewest losses; what the console proposes. Null until it is known. */
  proposal: z
    .object({ encoder: z.enum(ladderEncoders), speed: z.enum(ladderSpeeds), heights: z.array(z.number().int()) })
    .nullable(),
});
export type LadderCosts = z.infer<typeof ladderCosts>;

export const measureLadder = defineEndpoint({
  ...paths.measureLadder,
  tag: 'Ladder',
  summary: 'What each step costs on this machine: measured with short encodes in the background, and remembered.',
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
