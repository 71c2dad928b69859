import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxStreamKeyLength, maxTargetUrlLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { transcodePicture, watermarkImage } from '../models/transcode-picture.ts';
import { workerFrame, workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

/** Transcoder settings; empty values before the first save. */
export const transcodeConfig = z.object({
  all: z.boolean().default(false),
  vcodec: z.string().max(32).default(''),
  acodec: z.string().max(32).default(''),
  /** kbit/s. */
  vbitrate: z.number().default(0),
  abitrate: z.number().default(0),
  /** 0 keeps the source's channels, 1 is mono, 2 is stereo. */
  achannels: z.number().default(0),
  vprofile: z.string().max(32).default(''),
  vpreset: z.string().max(32).default(''),
  server: z.string().max(maxTargetUrlLength).default(''),
  secret: z.string().max(maxStreamKeyLength).default(''),
  /** If absent: the source's size, 25 frames per second, a keyframe every 2 s, no watermark. */
  picture: transcodePicture.optional(),
});
export type TranscodeConfig = z.infer<typeof transcodeConfig>;

export const queryTranscode = defineEndpoint({
  ...paths.queryTranscode,
  tag: 'Transcode',
  summary: 'Returns the settings of the live transcoder.',
  request: emptyRequest,
  response: transcodeConfig,
});

export const applyTranscode = defineEndpoint({
  ...paths.applyTranscode,
  tag: 'Transcode',
  summary: 'Saves the settings of the live transcoder and starts or stops it (`all`).',
  request: transcodeConfig.extend({ token: z.string().optional() }),
  response: nullData,
});

export const transcodeTask = z.object({
  /** Id of the task; changes only when the server restarts. */
  uuid: z.string(),
  enabled: z.boolean(),
  /** Source stream, `app/stream`; '' while stopped. */
  input: z.string(),
  /** Complete address including the secret; '' while stopped. */
  output: z.string(),
  frame: workerFrame,
  start: workerRun.shape.start,
  ready: workerRun.shape.ready,
  ...workerStatus.shape,
});
export type TranscodeTask = z.infer<typeof transcodeTask>;

export const queryTranscodeTask = defineEndpoint({
  ...paths.queryTranscodeTask,
  tag: 'Transcode',
  summary: 'Returns the state of the live transcoder.',
  request: emptyRequest,
  response: transcodeTask,
});

/** Keeps the newest unused images in addition to the current image, because forms in other tabs may use them. */
export const uploadWatermark = defineEndpoint({
  ...paths.uploadWatermark,
  tag: 'Transcode',
  summary: 'Uploads a PNG, JPEG or WebP of at most 512 KiB as a watermark; use its id in the settings.',
  request: z.object({
    token: z.string().optional(),
    /** The file in Base64. */
    data: z.string().default(''),
  }),
  response: watermarkImage,
});

export const queryWatermark = defineEndpoint({
  ...paths.queryWatermark,
  tag: 'Transcode',
  summary: 'Returns an uploaded watermark as a `data:` URL of a PNG.',
  request: z.object({ token: z.string().optional(), id: z.string().max(64).default('') }),
  response: watermarkImage.extend({ picture: z.string() }),
});
