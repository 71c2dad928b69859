// A recording on its way to the cloud, and the account it goes to, as calls and the console see them.
import { z } from 'zod';
import { recordRow } from './recording.ts';

/** `recording`: segments are added and uploaded. `uploading`: the rest is on its way. `done`: everything is there. */
export const cloudStates = ['recording', 'uploading', 'done'] as const;
export type CloudState = (typeof cloudStates)[number];

/**
 * Why the cloud does not take something. `account`: no credentials here. `credentials`: wrong keys. `denied`: these keys may
 * not do that. `missing`: no such bucket or application. `unreachable`: no name, no connection, no answer in time.
 * `refused`: anything else the cloud said. `lost`: the local copy is gone.
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

const cloudRow = recordRow.omit({ state: true, mp4Size: true, place: true, object: true }).extend({
  state: z.enum(cloudStates),
  /** Segments in the cloud. */
  uploaded: z.number().int(),
  problemKind: z.enum(cloudProblemKinds).nullable(),
  /** RFC 3339: when an upload that failed is tried again; empty when nothing waits. */
  retryAt: z.string(),
});
export type CloudRow = z.infer<typeof cloudRow>;

export const dvrRow = cloudRow.extend({
  bucket: z.string(),
  region: z.string(),
  /** Playlist in the bucket; empty until everything is there. */
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
  /** Id of the medium; empty until it is committed. */
  file: z.string(),
  /** Address of its playlist. */
  media: z.string(),
  /** The MP4; null until it is made. */
  task: remuxTask.nullable(),
});
export type VodRow = z.infer<typeof vodRow>;

export const cloudAccount = z.object({
  /** First and last four characters; empty while there are no credentials. */
  secretId: z.string(),
  bucket: z.string(),
  region: z.string(),
  /** VoD application and where it stores; empty until known. */
  application: z.string(),
  storageRegion: z.string(),
});
export type CloudAccount = z.infer<typeof cloudAccount>;
