// Recordings during their upload to the cloud, and the cloud account.
import { z } from 'zod';
import { recordRow } from './recording.ts';

/**
 * `recording`: segments are added and uploaded. `uploading`: the recording has ended, but segments still wait for upload. `done`: all
 * segments are uploaded.
 */
export const cloudStates = ['recording', 'uploading', 'done'] as const;
export type CloudState = (typeof cloudStates)[number];

/**
 * Reason for a failed upload. `account`: no credentials. `credentials`: wrong credentials. `denied`: missing permission. `missing`: the
 * bucket or application does not exist. `unreachable`: name resolution, connection or response failed. `refused`: another error of the
 * cloud. `lost`: the local copy is gone.
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
  uploaded: z.number().int(),
  problemKind: z.enum(cloudProblemKinds).nullable(),
  /** Error code of the cloud or the operating system, e.g. `NoSuchBucket`; may be absent. */
  problemCode: z.string().optional(),
  /** Time of the next attempt after a failed upload, RFC 3339; '' without a scheduled attempt. */
  retryAt: z.string(),
});
export type CloudRow = z.infer<typeof cloudRow>;

export const dvrRow = cloudRow.extend({
  bucket: z.string(),
  region: z.string(),
  /** URL of the playlist in the bucket; '' until the upload is complete. */
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
  /** Id of the media file in the cloud; '' until the upload is committed. */
  file: z.string(),
  /** URL of the media file's HLS playlist. */
  media: z.string(),
  /** The MP4 of the recording; null while it does not exist. */
  task: remuxTask.nullable(),
});
export type VodRow = z.infer<typeof vodRow>;

export const cloudAccount = z.object({
  /** First and last four characters of the id; a short id is masked completely. '' without credentials. */
  secretId: z.string(),
  bucket: z.string(),
  region: z.string(),
  /** VoD application and storage region; '' if unknown. */
  application: z.string(),
  storageRegion: z.string(),
});
export type CloudAccount = z.infer<typeof cloudAccount>;
