import { z } from 'zod';
import {
  leastKeptBytes,
  leastSplitBytes,
  leastSplitSeconds,
  maxKeptBytes,
  maxKeptDays,
  maxRecordNotesLength,
  maxRecordTitleLength,
  maxSplitSeconds,
} from '../limits.ts';
import { recordPlaces } from '../values/object-storage.ts';
import { fileNode } from './file-node.ts';
import { refusedWith } from './schema-refusal.ts';

/**
 * `recording`: segments are added. `finishing`: the MP4 is being created, or waits for disk space. `done`: the MP4 exists. `failed`: no MP4
 * could be created, but the segments play over HLS.
 */
export const recordStates = ['recording', 'finishing', 'done', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/**
 * Reason for a missing MP4 or copy. `room`: waits for disk space. `segments`: missing segments. `ffmpeg`: FFmpeg is not installed.
 * `killed`: another process killed FFmpeg. `limit`: FFmpeg reached a resource limit. `remux`: FFmpeg failed for another reason.
 * `copyFolder`: the folder for copies is missing. `copy`: copying failed. `incomplete`: the MP4 lacks media of the segments.
 */
export const recordProblemKinds = [
  'room',
  'segments',
  'ffmpeg',
  'killed',
  'limit',
  'remux',
  'copyFolder',
  'copy',
  'incomplete',
] as const;
export type RecordProblemKind = (typeof recordProblemKinds)[number];

/** Title, notes and keep mark set by the operator. */
export const recordLabel = z.object({
  title: z.string().trim().max(maxRecordTitleLength),
  notes: z.string().trim().max(maxRecordNotesLength),
  /** Exempts the recording from automatic clean-up. */
  keep: z.boolean(),
});
export type RecordLabel = z.infer<typeof recordLabel>;

export const recordRow = z.object({
  ...recordLabel.shape,
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** True until the MP4 and its copy, if enabled, are complete. */
  progress: z.boolean(),
  /** Time of the last change, RFC 3339. */
  update: z.string(),
  /** Number of segments. */
  nn: z.number().int(),
  /** Sum of the segments, seconds. */
  duration: z.number(),
  /** Sum of the segments, bytes. */
  size: z.number().int(),
  state: z.enum(recordStates),
  /** Start of the recording, RFC 3339. */
  begin: z.string(),
  /** Size of the MP4, bytes; 0 without an MP4. */
  mp4Size: z.number().int(),
  problemKind: z.enum(recordProblemKinds).nullable(),
  /** English description of `problemKind` with the message of FFmpeg or the operating system; '' without a problem. */
  problem: z.string(),
  /** Location of the MP4; `server` without an MP4. */
  place: z.enum(recordPlaces),
  /** `s3://bucket/key` of the uploaded MP4; '' before the upload. */
  object: z.string(),
  /** Position in a split recording, and uuid of the first file; absent in the first file. */
  part: z.object({ number: z.number().int(), first: z.string() }).optional(),
  /** Range of a clip in the live stream, RFC 3339; absent for other recordings. */
  clip: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Node that stores the recording; absent with a single server. */
  node: fileNode.optional(),
  /** Query that authorizes the operator's playback for some hours; absent for open streams. */
  watchQuery: z.string().optional(),
});
export type RecordRow = z.infer<typeof recordRow>;

/** Limits of a file in a split recording; 0 for none. A segment larger than a limit still forms a file. */
export const recordSplit = z.object({
  maxSeconds: z
    .number()
    .int()
    .max(maxSplitSeconds)
    .refine(
      (seconds) => seconds === 0 || seconds >= leastSplitSeconds,
      refusedWith('record.splits-too-short', 'the duration limit is shorter than one segment'),
    )
    .default(0),
  maxBytes: z
    .number()
    .int()
    .max(maxKeptBytes)
    .refine(
      (bytes) => bytes === 0 || bytes >= leastSplitBytes,
      refusedWith('record.splits-too-small', 'the size limit is smaller than one segment'),
    )
    .default(0),
});
export type RecordSplit = z.infer<typeof recordSplit>;

/** A recording in the recycle bin, which can be restored until `purgeAt`. */
export const removedRecord = recordRow.extend({
  /** RFC 3339. */
  removedAt: z.string(),
  /** RFC 3339. */
  purgeAt: z.string(),
});
export type RemovedRecord = z.infer<typeof removedRecord>;

/** `low`: recording continues with little free space. `full`: recording pauses until space is free; existing recordings are kept. */
export const recordDiskStates = ['ok', 'low', 'full'] as const;
export type RecordDiskState = (typeof recordDiskStates)[number];

export const recordTotals = z.object({
  /** Number of all recordings, and of unfinished recordings. */
  count: z.number().int(),
  recording: z.number().int(),
  /** Seconds. */
  duration: z.number(),
  /** Disk usage of segments and MP4 files on all servers, bytes. */
  size: z.number().int(),
});
export type RecordTotals = z.infer<typeof recordTotals>;

/** Retention limits; 0 for none. Only finished recordings are removed, oldest first. */
export const recordRetention = z.object({
  keepDays: z.number().int().min(0).max(maxKeptDays).default(0),
  /** Total size of segments and MP4 files of all recordings, bytes. */
  maxBytes: z
    .number()
    .int()
    .max(maxKeptBytes)
    .refine(
      (bytes) => bytes === 0 || bytes >= leastKeptBytes,
      refusedWith('record.keeps-too-little', 'the size limit is so small that it would remove every recording'),
    )
    .default(0),
});
export type RecordRetention = z.infer<typeof recordRetention>;

export const retentionReasons = ['age', 'size'] as const;

/** A recording removed by the retention limits. */
export const retentionRemoval = z.object({
  /** RFC 3339. */
  at: z.string(),
  uuid: z.string(),
  app: z.string(),
  stream: z.string(),
  begin: z.string(),
  /** Bytes freed. */
  size: z.number().int(),
  reason: z.enum(retentionReasons),
});
export type RetentionRemoval = z.infer<typeof retentionRemoval>;
