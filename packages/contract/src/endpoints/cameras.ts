import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength, maxPlaylistFiles, maxTargetUrlLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { acquiredSource, mediaSource, mediaSourceItem } from '../models/media-source.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';
import { sourceKinds } from '../values/source-kinds.ts';

/** `silent` replaces the camera's audio by silence. */
const extraAudio = z.enum(['', 'silent']);
/** Transport of RTSP media: `tcp` uses the RTSP connection, `udp` uses datagrams. RTSPS always uses `tcp`. */
const transport = z.enum(['tcp', 'udp']);

/** ONVIF limits tokens to 64 characters, but some cameras exceed this limit. */
const onvifToken = z.string().min(1).max(maxLabelLength);
const subAddress = z.string().max(maxTargetUrlLength);

/** ONVIF access for pan, tilt and zoom: the profile, and the address of the device service with user and password. */
const ptz = z.object({ address: z.string().max(maxTargetUrlLength), profile: onvifToken }).nullable();

/** If `server` is empty, the camera is published on this server with `secret` as the stream name. */
export const camera = pushTarget.extend({
  files: z.array(mediaSource),
  extraAudio: extraAudio.default(''),
  /** Accepts any RTSPS certificate, because cameras have self-signed certificates. */
  acceptsAnyCertificate: z.boolean().default(false),
  transport: transport.default('tcp'),
  /**
   * Connects to the camera only while a viewer, a forward or a recording needs the stream. Only for cameras that the media server pulls.
   */
  onDemand: z.boolean().default(false),
  /** Address of an additional, smaller stream of the camera; '' for none. */
  subAddress: subAddress.default(''),
  ptz: ptz.default(null),
});
export type Camera = z.infer<typeof camera>;

export const cameraSecret = defineEndpoint({
  ...paths.cameraSecret,
  tag: 'Cameras',
  summary: 'Returns the cameras by platform; with `action: "update"` saves one camera and returns null.',
  request: pushTargetUpdate.extend({
    files: z.array(mediaSource).max(maxPlaylistFiles).default([]),
    extraAudio: extraAudio.default(''),
    acceptsAnyCertificate: z.boolean().default(false),
    transport: transport.default('tcp'),
    onDemand: z.boolean().default(false),
    subAddress: subAddress.default(''),
    ptz: ptz.default(null),
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
  /** `uuid` of the source; absent while disconnected. */
  source: z.string().optional(),
  /** `app/stream` on this server; '' if the camera is sent to another server. */
  stream: z.string(),
  kind: z.enum(sourceKinds),
  hasPtz: z.boolean(),
  /** Status of the smaller stream; absent if there is none. */
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
  summary: 'Returns one status row per camera, sorted by platform.',
  request: emptyRequest,
  response: z.array(cameraRow),
});

/** `url` may also be in the query, where an unescaped value ends at the next `&`. */
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

export const testCamera = defineEndpoint({
  ...paths.testCamera,
  tag: 'Cameras',
  summary: 'Probes the address of a camera and stores nothing.',
  request: z.object({ token: z.string().optional(), url: z.string().max(maxTargetUrlLength) }),
  response: mediaSource,
});

export const removeCamera = defineEndpoint({
  ...paths.removeCamera,
  tag: 'Cameras',
  summary: 'Disconnects and removes a camera.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: nullData,
});

const discoveredCamera = z.object({
  /** ONVIF address of the device service. */
  address: z.string(),
  /** IP address that the response came from. */
  host: z.string(),
  name: z.string(),
  model: z.string(),
});
export type DiscoveredCamera = z.infer<typeof discoveredCamera>;

export const discoverCameras = defineEndpoint({
  ...paths.discoverCameras,
  tag: 'Cameras',
  summary: 'Searches the local networks for ONVIF cameras; takes some seconds.',
  request: emptyRequest,
  response: z.array(discoveredCamera),
});

const onvifProfile = z.object({
  token: z.string(),
  name: z.string(),
  /** Codec name reported by the camera, e.g. H264; may be empty. */
  codec: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  fps: z.number().int(),
  /** RTSP address including user and password. */
  address: z.string(),
  hasPtz: z.boolean(),
});
export type OnvifProfile = z.infer<typeof onvifProfile>;

const onvifDevice = z.object({
  model: z.string(),
  /** Address of the device service, including user and password. */
  address: z.string(),
  profiles: z.array(onvifProfile),
  /** JPEG in Base64; '' if the camera provides none. */
  snapshot: z.string(),
});
export type OnvifDevice = z.infer<typeof onvifDevice>;

export const readOnvifCamera = defineEndpoint({
  ...paths.readOnvifCamera,
  tag: 'Cameras',
  summary: 'Reads the profiles of an ONVIF camera, their addresses and an image; stores nothing.',
  request: z.object({
    token: z.string().optional(),
    address: z.string().min(1).max(maxTargetUrlLength),
    user: z.string().max(maxLabelLength).default(''),
    password: z.string().max(maxTargetUrlLength).default(''),
    acceptsAnyCertificate: z.boolean().default(false),
  }),
  response: onvifDevice,
});

const velocity = z.number().min(-1).max(1).default(0);

export const moveCamera = defineEndpoint({
  ...paths.moveCamera,
  tag: 'Cameras',
  summary: 'Pans, tilts or zooms a camera for at most 5 s, stops it with all values 0, or moves it to a preset.',
  request: z.object({
    token: z.string().optional(),
    platform: z.string().min(1).max(maxLabelLength),
    pan: velocity,
    tilt: velocity,
    zoom: velocity,
    preset: onvifToken.optional(),
  }),
  response: nullData,
});

export const cameraPresets = defineEndpoint({
  ...paths.cameraPresets,
  tag: 'Cameras',
  summary: 'Returns the preset positions of a camera.',
  request: z.object({ token: z.string().optional(), platform: z.string().min(1).max(maxLabelLength) }),
  response: z.array(z.object({ token: z.string(), name: z.string() })),
});
