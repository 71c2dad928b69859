// A recording as calls and the console see it: its row, what is free on the disk, what went into the bin.
import { z } from 'zod';
import { leastKeptBytes, maxKeptBytes, maxKeptDays } from '../limits.ts';
import { recordPlaces } from '../values/object-storage.ts';
import { fileNode } from './file-node.ts';
import { refusedWith } from './schema-refusal.ts';

/**
 * `recording`: segments are added. `finishing`: no more segments, the MP4 is being made (or waits for room on the disk).
 * `done`: the MP4 is there. `failed`: no MP4 could be made of the segments; they are kept and play over HLS.
 */
export const recordStates = ['recording', 'finishing', 'done', 'failed'] as const;
export type RecordState = (typeof recordStates)[number];

/**
 * Why there is no MP4, or no copy of it. `room`: it waits for room on the disk. `segments`: the segments are gone. `ffmpeg`: FFmpeg is
 * not installed. `killed`: FFmpeg was ended from outside. `remux`: FFmpeg could not do it. `copyFolder`: the folder for copies is gone.
 * `copy`: copying failed. `incomplete`: the MP4 is there and lacks something that the slices have.
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

export const recordRow = z.object({
  uuid: z.string(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** True until the MP4, and its copy when one is wanted, are complete. */
  progress: z.boolean(),
  /** RFC 3339: last change. */
  update: z.string(),
  /** Segments. */
  nn: z.number().int(),
  /** Seconds, sum of the segments. */
  duration: z.number(),
  /** Bytes, sum of the segments. */
  size: z.number().int(),
  state: z.enum(recordStates),
  /** RFC 3339: when the recording was begun. */
  begin: z.string(),
  /** Bytes of the MP4; 0 while there is none. */
  mp4Size: z.number().int(),
  /** Null when all is well, or not known. */
  problemKind: z.enum(recordProblemKinds).nullable(),
  /** The same in English, with the words of FFmpeg or of the system; empty when all is well. */
  problem: z.string(),
  /** Where the MP4 is; `server` while there is none. */
  place: z.enum(recordPlaces),
  /** `s3://bucket/key` of its object; empty while there is none. */
  object: z.string(),
  /** RFC 3339: where exactly it was cut out of a live stream; absent of what is no clip. */
  clip: z.object({ from: z.string(), to: z.string() }).optional(),
  /** The server whose folder has its files; absent where there is one server alone. */
  node: fileNode.optional(),
  /** What opens its links for who is logged in, some hours long; absent where everybody may watch. */
  watchQuery: z.string().optional(),
});
export type RecordRow = z.infer<typeof recordRow>;

/** A recording in the bin: it can be restored until `purgeAt`. */
export const removedRecord = recordRow.extend({
  /** RFC 3339. */
  removedAt: z.string(),
  /** RFC 3339. */
  purgeAt: z.string(),
});
export type RemovedRecord = z.infer<typeof removedRecord>;

/**
 * `ok`; `low`: recording goes on, room for little more; `full`: recording pauses, what is there is kept, and it resumes by
 * itself when there is room again.
 */
export const recordDiskStates = ['ok', 'low', 'full'] as const;
export type RecordDiskState = (typeof recordDiskStates)[number];

export const recordTotals = z.object({
  /** Recordings, and of these the ones not finished. */
  count: z.number().int(),
  recording: z.number().int(),
  /** Seconds. */
  duration: z.number(),
  /** Bytes on the disks of all servers: segments and MP4. */
  size: z.number().int(),
});
export type RecordTotals = z.infer<typeof recordTotals>;

/** What is kept; 0 keeps everything. Only finished recordings are removed, the oldest first. */
export const recordRetention = z.object({
  keepDays: z.number().int().min(0).max(maxKeptDays).default(0),
  /** Segments and MP4 of all recordings. */
  maxBytes: z
    .number()
    .int()
    .max(maxKeptBytes)
    .refine(
      (bytes) => bytes === 0 || bytes >= leastKeptBytes,
      refusedWith('record.keeps-too-little', 'less than one recording needs'),
    )
    .default(0),
});
export type RecordRetention = z.infer<typeof recordRetention>;

export const retentionReasons = ['age', 'size'] as const;

/** A recording that was removed by itself. */
export const retentionRemoval = z.object({
  /** RFC 3339. */
  at: z.string(),
  uuid: z.string(),
  app: z.string(),
  stream: z.string(),
  /** RFC 3339: when it had been begun. */
  begin: z.string(),
  /** Bytes that became free. */
  size: z.number().int(),
  reason: z.enum(retentionReasons),
});
export type RetentionRemoval = z.infer<typeof retentionRemoval>;
