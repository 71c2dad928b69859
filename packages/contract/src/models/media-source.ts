// Files and remote streams as sources of virtual live and cameras. Strings in ffprobe's output stay strings.
import { z } from 'zod';
import { fileNode } from './file-node.ts';

/** Older clients omit `type`; '' means a file. A previous release used `ytdl`. */
export const mediaSourceTypes = ['upload', 'file', 'stream', 'ytdl', ''] as const;

/** Maximum width or height of a video, pixels. Larger values are clamped. */
const maxImageSide = 16_384;

/** A number from a response that clients send back. Values outside the range are clamped. */
const within = (min: number, max: number) => z.number().overwrite((value) => Math.max(min, Math.min(value, max)));
const reported = within(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const side = within(0, maxImageSide).default(0);

/** A source, returned by calls that add files or streams and accepted by the `source` call. */
export const mediaSourceItem = z.object({
  name: z.string().max(1024).default(''),
  path: z.string().max(4096).default(''),
  /** Bytes; 0 for streams. */
  size: reported.default(0),
  uuid: z.string().max(64).default(''),
  /** `upload/{uuid}{ext}`, `vlive/{uuid}{ext}`, or the URL of a stream. */
  target: z.string().max(4096).default(''),
  type: z.enum(mediaSourceTypes).default(''),
});
export type MediaSourceItem = z.infer<typeof mediaSourceItem>;

const text = z.string().default('');

/** Why virtual live must re-encode the video. `rotation`: players would show the video rotated. `pixels`: players would show no video. */
export const videoEncodeReasons = ['', 'rotation', 'pixels'] as const;
const count = reported.default(0);

export const mediaFormat = z.object({
  start_time: text,
  /** Seconds. */
  duration: text,
  /** Bits per second. */
  bit_rate: text,
  nb_streams: count,
  probe_score: count,
  has_video: z.boolean().default(false),
  has_audio: z.boolean().default(false),
});

export const mediaVideo = z.object({
  codec_type: text,
  codec_name: text,
  profile: text,
  width: side,
  height: side,
  pix_fmt: text,
  level: count,
  bit_rate: text,
  start_time: text,
  duration: text,
  /** Rotation in the metadata of the file, degrees. */
  rotation: reported.default(0),
  encodes: z.enum(videoEncodeReasons).catch('').default(''),
});

export const mediaAudio = z.object({
  codec_type: text,
  codec_name: text,
  profile: text,
  sample_fmt: text,
  sample_rate: text,
  channels: count,
  channel_layout: text,
  bit_rate: text,
  start_time: text,
  duration: text,
});

/** A checked source in the configuration of a virtual live stream or camera. */
export const mediaSource = mediaSourceItem.extend({
  format: mediaFormat.nullable().default(null),
  video: mediaVideo.nullable().default(null),
  audio: mediaAudio.nullable().default(null),
});
export type MediaSource = z.infer<typeof mediaSource>;
export type MediaFormat = z.infer<typeof mediaFormat>;
export type MediaVideo = z.infer<typeof mediaVideo>;
export type MediaAudio = z.infer<typeof mediaAudio>;

/** Response of calls that add files or streams. */
export const acquiredSource = z.object({
  name: z.string(),
  uuid: z.string(),
  target: z.string(),
  size: z.number(),
});
export type AcquiredSource = z.infer<typeof acquiredSource>;

/** A file in the media library. */
export const libraryFile = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Value for the `source` call. */
  target: z.string(),
  type: z.enum(mediaSourceTypes),
  /** RFC 3339. */
  addedAt: z.string(),
  /** Time at which an unused file is deleted, RFC 3339; '' for files that stay. */
  expiresAt: z.string(),
  /** Platforms whose virtual live target uses the file. */
  usedBy: z.array(z.string()),
  /** Whether the file is only on its server, or also in the bucket. */
  place: z.enum(['server', 'both']),
  /** Node that stores the file; absent with a single server, or if unknown. */
  node: fileNode.optional(),
});
export type LibraryFile = z.infer<typeof libraryFile>;
