import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength, maxPlaylistFiles, maxTargetUrlLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { acquiredSource, mediaSource, mediaSourceItem } from '../models/media-source.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';
import { sourceKinds } from '../values/source-kinds.ts';

/** `silent`: a silent audio track stands in for whatever audio the camera has. */
const extraAudio = z.enum(['', 'silent']);
/** How RTSP media comes: inside the connection, or in datagrams. RTSPS is always `tcp`. */
const transport = z.enum(['tcp', 'udp']);

const subAddress = z.string().max(maxTargetUrlLength);

/** With an empty `server` the camera is published on this server, and `secret` is its stream name. */
export const camera = pushTarget.extend({
  files: z.array(mediaSource),
  extraAudio: extraAudio.default(''),
  /** Of RTSPS: any certificate is accepted, because cameras have self-signed ones. */
  acceptsAnyCertificate: z.boolean().default(false),
  transport: transport.default('tcp'),
  /** Pulled only while somebody watches, or a forward or recording needs it; where the media server pulls it. */
  onDemand: z.boolean().default(false),
  /** Address of a smaller stream of the same camera, published beside the first one; '' without one. */
  subAddress: subAddress.default(''),
});
export type Camera = z.infer<typeof camera>;

export const cameraSecret = defineEndpoint({
  ...paths.cameraSecret,
  tag: 'Cameras',
  summary: 'Cameras by platform; with `action: "update"` saves one camera and answers null.',
  request: pushTargetUpdate.extend({
    files: z.array(mediaSource).max(maxPlaylistFiles).default([]),
    extraAudio: extraAudio.default(''),
    acceptsAnyCertificate: z.boolean().default(false),
    transport: transport.default('tcp'),
    onDemand: z.boolean().default(false),
    subAddress: subAddress.default(''),
  }),
  response: z.union([nullData, z.record(z.string(), camera)]),
});

export const cameraRow = z.object({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
  /** Passwords in addresses are masked. */
  files: z.array(mediaSource),
  extraAudio,
  onDemand: z.boolean(),
  /** `uuid` of the source, only while it is connected. */
  source: z.string().optional(),
  /** `app/stream` on this server; empty when the camera is sent elsewhere. */
  stream: z.string(),
  /** How its source is reached. */
  kind: z.enum(sourceKinds),
  /** The smaller stream; absent without one. */
  sub: z
    .object({
      stream: z.string(),
      ...workerStatus.pick({ state: true, reason: true, reasonDetail: true, detail: true, retryInMs: true }).shape,
    })
    .optional(),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type CameraRow = z.infer<typeof cameraRow>;

export const cameraStreams = defineEndpoint({
  ...paths.cameraStreams,
  tag: 'Cameras',
  summary: 'One status row per camera, sorted by platform.',
  request: emptyRequest,
  response: z.array(cameraRow),
});

/** `url` may also be in the query; an unescaped one runs to the next `&`. */
export const cameraStreamUrl = defineEndpoint({
  ...paths.cameraStreamUrl,
  tag: 'Cameras',
  summary: 'Checks the address of a camera (rtsp, rtsps, rtmp, rtmps, srt, udp, rtp, http-flv, hls, http-ts).',
  request: z.object({ token: z.string().optional(), url: z.string().max(maxTargetUrlLength).default('') }),
  response: acquiredSource,
});

export const cameraSource = defineEndpoint({
  ...paths.cameraSource,
  tag: 'Cameras',
  summary: 'Probes the address and makes it the source of a camera.',
  request: z.object({
    token: z.string().optional(),
    platform: z.string().max(maxLabelLength).default(''),
    files: z.array(mediaSourceItem).max(maxPlaylistFiles).default([]),
  }),
  response: z.object({ platform: z.string(), files: z.array(mediaSource) }),
});

/** Ours. */
export const testCamera = defineEndpoint({
  ...paths.testCamera,
  tag: 'Cameras',
  summary: 'Probes the address of a camera and stores nothing.',
  request: z.object({ token: z.string().optional(), url: z.string().max(maxTargetUrlLength) }),
  response: mediaSource,
});

/** Ours. */
export const removeCamera = defineEndpoint({
  ...paths.removeCamera,
  tag: 'Cameras',
  summary: 'Disconnects a camera and forgets it.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: nullData,
});
