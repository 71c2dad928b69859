// Files and remote streams a virtual live stream is made from. Strings stay strings as ffprobe prints them.
import { z } from 'zod';
import { fileNode } from './file-node.ts';

/** Older clients leave `type` out: an empty one is a file. `ytdl` was made by an older release. */
export const mediaSourceTypes = ['upload', 'file', 'stream', 'ytdl', ''] as const;

/** Largest side of a picture, pixels: no codec of a live stream has a larger one. */
const maxPictureSide = 16_384;

/** A number that clients post back as they were told it; one that no program reports is brought into its range. */
const within = (min: number, max: number) => z.number().overwrite((value) => Math.max(min, Math.min(value, max)));
const reported = within(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const side = within(0, maxPictureSide).default(0);

/** A source as the acquiring calls return it and the `source` call takes it. */
export const mediaSourceItem = z.object({
  name: z.string().max(1024).default(''),
  path: z.string().max(4096).default(''),
  /** Bytes; 0 for a stream. */
  size: reported.default(0),
  uuid: z.string().max(64).default(''),
  /** `upload/{uuid}{ext}` or `vlive/{uuid}{ext}`, or the URL of a stream. */
  target: z.string().max(4096).default(''),
  type: z.enum(mediaSourceTypes).default(''),
});
export type MediaSourceItem = z.infer<typeof mediaSourceItem>;

const text = z.string().default('');

/** Why virtual live encodes the video of a file for every target: players would show it turned, or not at all; '' when it need not be. */
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
  /** Degrees by which the file tells players to turn its video. */
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

/** A checked source, kept in the configuration of a virtual live stream. */
export const mediaSource = mediaSourceItem.extend({
  format: mediaFormat.nullable().default(null),
  video: mediaVideo.nullable().default(null),
  audio: mediaAudio.nullable().default(null),
});
export type MediaSource = z.infer<typeof mediaSource>;
export type MediaFormat = z.infer<typeof mediaFormat>;
export type MediaVideo = z.infer<typeof mediaVideo>;
export type MediaAudio = z.infer<typeof mediaAudio>;

/** What the acquiring calls answer. */
export const acquiredSource = z.object({
  name: z.string(),
  uuid: z.string(),
  target: z.string(),
  size: z.number(),
});
export type AcquiredSource = z.infer<typeof acquiredSource>;

/** A stored file of the media library. */
export const libraryFile = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Pass it on to the `source` call. */
  target: z.string(),
  type: z.enum(mediaSourceTypes),
  /** RFC 3339. */
  addedAt: z.string(),
  /** RFC 3339: when a file no virtual live stream ever used is deleted; empty for files that stay. */
  expiresAt: z.string(),
  /** Virtual live platforms that use it. */
  usedBy: z.array(z.string()),
  /** Where it is: on its server, or in the bucket, too. */
  place: z.enum(['server', 'both']),
  /** The server that has it; absent where there is one server alone, or when it is not known. */
  node: fileNode.optional(),
});
export type LibraryFile = z.infer<typeof libraryFile>;
