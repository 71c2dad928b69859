import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxStreamKeyLength, maxTargetUrlLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { workerFrame, workerRun, workerStatus } from '../models/worker.ts';

/** Zero values while nothing was ever saved. */
export const transcodeConfig = z.object({
  /** Switched on. */
  all: z.boolean().default(false),
  vcodec: z.string().max(32).default(''),
  acodec: z.string().max(32).default(''),
  /** kbit/s. */
  vbitrate: z.number().default(0),
  abitrate: z.number().default(0),
  /** 0 as the source, 1 mono, 2 stereo. */
  achannels: z.number().default(0),
  vprofile: z.string().max(32).default(''),
  vpreset: z.string().max(32).default(''),
  server: z.string().max(maxTargetUrlLength).default(''),
  secret: z.string().max(maxStreamKeyLength).default(''),
});
export type TranscodeConfig = z.infer<typeof transcodeConfig>;

export const queryTranscode = defineEndpoint({
  path: '/terraform/v1/ffmpeg/transcode/query',
  tag: 'Transcode',
  summary: 'Settings of the live transcoder.',
  access: 'credential',
  request: emptyRequest,
  response: transcodeConfig,
});

export const applyTranscode = defineEndpoint({
  path: '/terraform/v1/ffmpeg/transcode/apply',
  tag: 'Transcode',
  summary: 'Saves the settings of the live transcoder and starts or stops it (`all`).',
  access: 'credential',
  request: transcodeConfig.extend({ token: z.string().optional() }),
  response: nullData,
});

export const transcodeTask = z.object({
  /** Fixed per server process. */
  uuid: z.string(),
  enabled: z.boolean(),
  /** Stream URL (`app/stream`) of the source; empty while not running. */
  input: z.string(),
  /** Full address including the secret; empty while not running. */
  output: z.string(),
  frame: workerFrame,
  start: workerRun.shape.start,
  ready: workerRun.shape.ready,
  ...workerStatus.shape,
});
export type TranscodeTask = z.infer<typeof transcodeTask>;

export const queryTranscodeTask = defineEndpoint({
  path: '/terraform/v1/ffmpeg/transcode/task',
  tag: 'Transcode',
  summary: 'State of the live transcoder.',
  access: 'credential',
  request: emptyRequest,
  response: transcodeTask,
});
