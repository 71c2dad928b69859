// API models of a recording: its row, free disk space, and the recycle bin.
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
 * could be created; the segments are kept and play over HLS.
 */
export const recordStates = ['recording', 'finishing', 'done', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/**
 * Why there is no MP4, or no copy of it. `room`: not enough disk space; it is retried. `segments`: the segments are missing. `ffmpeg`:
 * FFmpeg is not installed. `killed`: another process killed FFmpeg. `remux`: FFmpeg failed. `copyFolder`: the folder for copies is missing.
 * `copy`: copying failed. `incomplete`: the MP4 lacks media that the segments contain.
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

/** The operator's title, notes and keep mark of a recording. */
export const recordLabel = z.object({
  title: z.string().trim().max(maxRecordTitleLength),
  notes: z.string().trim().max(maxRecordNotesLength),
  /** True: automatic clean-up does not remove the recording. */
  keep: z.boolean(),
});
export type RecordLabel = z.infer<typeof recordLabel>;

export const recordRow = z.object({
  ...recordLabel.shape,
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** True until the MP4, and the copy of it if enabled, are complete. */
  progress: z.boolean(),
  /** RFC 3339: time of the last change. */
  update: z.string(),
  /** Segments. */
  nn: z.number().int(),
  /** Seconds, sum of the segments. */
  duration: z.number(),
  /** Bytes, sum of the segments. */
  size: z.number().int(),
  state: z.enum(recordStates),
  /** RFC 3339: start of the recording. */
  begin: z.string(),
  /** Bytes of the MP4; 0 while there is none. */
  mp4Size: z.number().int(),
  /** Null without a problem, or when unknown. */
  problemKind: z.enum(recordProblemKinds).nullable(),
  /** `problemKind` in English, with the message of FFmpeg or the operating system; empty without a problem. */
  problem: z.string(),
  /** Location of the MP4; `server` while there is none. */
  place: z.enum(recordPlaces),
  /** `s3://bucket/key` of the MP4 in the bucket; empty until it is uploaded. */
  object: z.string(),
  /** Number of the file in a split recording, and uuid of its first file; absent in the first file. */
  part: z.object({ number: z.number().int(), first: z.string() }).optional(),
  /** Range of the clip in the live stream, RFC 3339; absent for other recordings. */
  clip: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The node that stores the files of the recording; absent with a single server. */
  node: fileNode.optional(),
  /** Query that authorizes playback of its links for the logged-in operator for some hours; absent when playback is open. */
  watchQuery: z.string().optional(),
});
export type RecordRow = z.infer<typeof recordRow>;

/** Limits of one file of a recording; 0 for none. A file exceeds them only if one segment does. */
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
  /** Size limit of the segments, bytes. */
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

/** A recording in the recycle bin; it can be restored until `purgeAt`. */
export const removedRecord = recordRow.extend({
  /** RFC 3339. */
  removedAt: z.string(),
  /** RFC 3339. */
  purgeAt: z.string(),
});
export type RemovedRecord = z.infer<typeof removedRecord>;

/**
 * `ok`; `low`: recording continues, but little space is left; `full`: recording pauses until there is space again, and existing recordings
 * are kept.
 */
export const recordDiskStates = ['ok', 'low', 'full'] as const;
export type RecordDiskState = (typeof recordDiskStates)[number];

export const recordTotals = z.object({
  /** Number of recordings, and of unfinished ones. */
  count: z.number().int(),
  recording: z.number().int(),
  /** Seconds. */
  duration: z.number(),
  /** Disk usage on all servers, bytes: segments and MP4. */
  size: z.number().int(),
});
export type RecordTotals = z.infer<typeof recordTotals>;

/** Retention limits; 0 keeps everything. Only finished recordings are removed, the oldest first. */
export const recordRetention = z.object({
  keepDays: z.number().int().min(0).max(maxKeptDays).default(0),
  /** Total size of segments and MP4 of all recordings. */
  maxBytes: z
    .number()
    .int()
    .max(maxKeptBytes)
    .refine(
      (bytes) => bytes === 0 || bytes >= leastKeptBytes,
      refusedWith('record.keeps-too-little', 'the size limit is smaller than one recording'),
    )
    .default(0),
});
export type RecordRetention = z.infer<typeof recordRetention>;

export const retentionReasons = ['age', 'size'] as const;

/** A recording that was removed by the retention limits. */
export const retentionRemoval = z.object({
  /** RFC 3339. */
  at: z.string(),
  uuid: z.string(),
  app: z.string(),
  stream: z.string(),
  /** RFC 3339: start of the recording. */
  begin: z.string(),
  /** Bytes freed. */
  size: z.number().int(),
  reason: z.enum(retentionReasons),
});
export type RetentionRemoval = z.infer<typeof retentionRemoval>;
