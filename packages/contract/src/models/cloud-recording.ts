// API models of a recording during its upload to the cloud, and of the cloud account.
import { z } from 'zod';
import { recordRow } from './recording.ts';

/**
 * `recording`: segments are added and uploaded. `uploading`: the recording has ended and remaining segments are uploaded. `done`: the
 * upload is complete.
 */
export const cloudStates = ['recording', 'uploading', 'done'] as const;
export type CloudState = (typeof cloudStates)[number];

/**
 * Why an upload fails. `account`: no credentials are set. `credentials`: wrong keys. `denied`: the keys lack a permission. `missing`: no
 * such bucket or application. `unreachable`: name resolution or connection failed, or the response timed out. `refused`: any other error of
 * the cloud. `lost`: the local copy is gone.
 */
export const cloudProblemKinds = [
  'account',
  'credentials',
  'denied',
  'missing',
  'unreachable',
  'refused',
  'lost',
] as const;
export type CloudProblemKind = (typeof cloudProblemKinds)[number];

const onlyLocal = {
  state: true,
  mp4Size: true,
  place: true,
  object: true,
  title: true,
  notes: true,
  keep: true,
  part: true,
} as const;
const cloudRow = recordRow.omit(onlyLocal).extend({
  state: z.enum(cloudStates),
  /** Number of segments in the cloud. */
  uploaded: z.number().int(),
  problemKind: z.enum(cloudProblemKinds).nullable(),
  /** Error code of the cloud or the operating system, e.g. `NoSuchBucket`; empty when there is none. */
  problemCode: z.string().optional(),
  /** RFC 3339: time of the next attempt after a failed upload; empty when none is scheduled. */
  retryAt: z.string(),
});
export type CloudRow = z.infer<typeof cloudRow>;

export const dvrRow = cloudRow.extend({
  bucket: z.string(),
  region: z.string(),
  /** URL of the playlist in the bucket; empty until the upload is complete. */
  url: z.string(),
});
export type DvrRow = z.infer<typeof dvrRow>;

export const remuxTask = z.object({
  url: z.string(),
  /** Bit/s. */
  bitrate: z.number(),
  height: z.number(),
  width: z.number(),
  /** Bytes. */
  size: z.number(),
  /** Seconds. */
  duration: z.number(),
  md5: z.string(),
});
export type RemuxTask = z.infer<typeof remuxTask>;

export const vodRow = cloudRow.extend({
  /** Id of the media file; empty until it is committed. */
  file: z.string(),
  /** Address of the HLS playlist of the media file. */
  media: z.string(),
  /** The MP4 of the recording; null until it exists. */
  task: remuxTask.nullable(),
});
export type VodRow = z.infer<typeof vodRow>;

export const cloudAccount = z.object({
  /** First and last four characters; empty while there are no credentials. */
  secretId: z.string(),
  bucket: z.string(),
  region: z.string(),
  /** VoD application and its storage region; empty until known. */
  application: z.string(),
  storageRegion: z.string(),
});
export type CloudAccount = z.infer<typeof cloudAccount>;
