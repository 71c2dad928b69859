import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  maxGlobLength,
  maxPathLength,
  maxPlanEntries,
  maxRecordGlobs,
  maxRecordPage,
  maxRewindWindows,
  maxSearchLength,
  maxTimeTextLength,
} from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { fileNode } from '../models/file-node.ts';
import { planEntryFields, planEntryId, planRow } from '../models/record-plan.ts';
import {
  recordDiskStates,
  recordLabel,
  recordRetention,
  recordRow,
  recordSplit,
  recordTotals,
  removedRecord,
  retentionRemoval,
} from '../models/recording.ts';
import { paths } from '../paths.ts';

const tag = 'Record';
const token = z.string().optional();
const oneRecord = z.object({ token, uuid: z.string().min(1).max(64) });
const moment = z.string().max(maxTimeTextLength);
const time = moment.pipe(z.iso.datetime({ offset: true }));
const filter = z.object({
  token,
  /** Case-insensitive words. Each must occur in `app/stream`, title, notes, uuid, start time or server name. */
  search: z.string().max(maxSearchLength).default(''),
  /** Selects recordings that overlap this range, RFC 3339. */
  from: time.optional(),
  to: time.optional(),
  kept: z.boolean().default(false),
});

export const recordRules = z.object({
  /** Records every stream that matches `globs`. */
  all: z.boolean(),
  /** Relative to the data folder. */
  home: z.string(),
  /** Absolute path. */
  directory: z.string(),
  /** Glob patterns of `/{app}/{stream}`; an empty list matches every stream. */
  globs: z.array(z.string()),
  /** Folder for a copy of each finished MP4; '' for none. */
  processCpDir: z.string(),
});
export type RecordRules = z.infer<typeof recordRules>;

export const queryRecord = defineEndpoint({
  ...paths.queryRecord,
  tag,
  summary: 'Returns the rules of local recording.',
  request: emptyRequest,
  response: recordRules,
});

export const applyRecord = defineEndpoint({
  ...paths.applyRecord,
  tag,
  summary:
    'Switches the recording of all streams on or off; after switching off, running recordings end about 30 seconds after their last segment.',
  request: z.object({ token, all: z.boolean().default(false) }),
  response: nullData,
});

export const updateRecordGlobs = defineEndpoint({
  ...paths.updateRecordGlobs,
  tag,
  summary: 'Replaces the name filters: glob patterns of `/{app}/{stream}`.',
  request: z.object({ token, globs: z.array(z.string().max(maxGlobLength)).max(maxRecordGlobs).default([]) }),
  response: nullData,
});

export const updateRecordPostProcessing = defineEndpoint({
  ...paths.updateRecordPostProcessing,
  tag,
  summary: 'Sets the folder that receives a copy of each finished MP4; an empty value switches copying off.',
  request: z.object({
    token,
    postProcess: z.literal('post-cp-file'),
    postCpDir: z.string().max(maxPathLength).default(''),
  }),
  response: nullData,
});

export const queryRecordFiles = defineEndpoint({
  ...paths.queryRecordFiles,
  tag,
  summary: 'Lists recordings of all servers, newest first; optionally filtered or paged.',
  request: filter.extend({
    offset: z.number().int().min(0).default(0),
    /** If absent, all recordings are returned. */
    limit: z.number().int().min(1).max(maxRecordPage).optional(),
  }),
  response: z.array(recordRow),
});

export const queryRecordStatus = defineEndpoint({
  ...paths.queryRecordStatus,
  tag,
  summary: 'Returns totals of all recordings and of those that match a filter, and the free disk space of this server.',
  request: filter,
  response: z.object({
    totals: recordTotals,
    matching: recordTotals,
    disk: z.object({
      state: z.enum(recordDiskStates),
      freeBytes: z.number(),
      totalBytes: z.number(),
      /** Recording pauses below this free space, bytes. */
      reserveBytes: z.number(),
    }),
    /** Servers with recordings, starting with this server; absent with a single server. */
    nodes: z.array(fileNode.extend({ recordings: z.number().int() })).optional(),
  }),
});

export const removeRecord = defineEndpoint({
  ...paths.removeRecord,
  tag,
  summary: 'Deletes a recording; it stays in the recycle bin for 24 hours unless `forever` is set.',
  request: oneRecord.extend({ forever: z.boolean().default(false) }),
  response: nullData,
});

export const updateRecord = defineEndpoint({
  ...paths.updateRecord,
  tag,
  summary: 'Changes `title`, `notes` or `keep` of a recording; automatic clean-up skips recordings with `keep: true`.',
  request: oneRecord.extend(recordLabel.partial().shape),
  response: nullData,
});

export const endRecord = defineEndpoint({
  ...paths.endRecord,
  tag,
  summary: 'Ends a running recording now; a stream that is still live continues in a new one.',
  request: oneRecord,
  response: nullData,
});

export const queryRecordBin = defineEndpoint({
  ...paths.queryRecordBin,
  tag,
  summary: 'Lists deleted recordings that can still be restored, newest first.',
  request: emptyRequest,
  response: z.array(removedRecord),
});

export const restoreRecord = defineEndpoint({
  ...paths.restoreRecord,
  tag,
  summary: 'Restores a deleted recording from the recycle bin.',
  request: oneRecord,
  response: nullData,
});

export const emptyRecordBin = defineEndpoint({
  ...paths.emptyRecordBin,
  tag,
  summary: 'Permanently deletes all recordings in the recycle bin.',
  request: emptyRequest,
  response: nullData,
});

const oneStream = z.object({
  token,
  app: z.string().min(1).max(maxGlobLength),
  stream: z.string().min(1).max(maxGlobLength),
});

export const queryStreamRecording = defineEndpoint({
  ...paths.queryStreamRecording,
  tag,
  summary: 'Returns whether a stream is recorded, since when, and whether its own setting or the rules decide this.',
  request: oneStream,
  response: z.object({
    wanted: z.boolean(),
    /** The operator's choice for this stream; null if the plan or the rules decide. */
    chosen: z.boolean().nullable(),
    /** Start of the running recording, RFC 3339; '' without a recording. */
    since: z.string(),
  }),
});

export const updateStreamRecording = defineEndpoint({
  ...paths.updateStreamRecording,
  tag,
  summary: 'Starts or ends the recording of one stream regardless of the rules; the choice is saved.',
  request: oneStream.extend({ record: z.boolean() }),
  response: nullData,
});

const window = z.object({
  app: z.string(),
  stream: z.string(),
  /** RFC 3339. */
  since: z.string(),
  until: z.string(),
  sizeBytes: z.number().int(),
});

export const queryRewindWindows = defineEndpoint({
  ...paths.queryRewindWindows,
  tag,
  summary: 'Lists the streams of this server that can be rewound, including recently ended ones.',
  request: emptyRequest,
  response: z.array(window).max(maxRewindWindows),
});

const cut = z.object({
  /** RFC 3339 times of the clip's first keyframe, and of the keyframe that follows the clip. */
  from: z.string(),
  to: z.string(),
  seconds: z.number(),
  sizeBytes: z.number().int(),
});

export const queryRewindWindow = defineEndpoint({
  ...paths.queryRewindWindow,
  tag,
  summary:
    'Returns the rewind window of one stream and its addresses, and the keyframes at which a clip would begin and end.',
  request: oneStream.extend({ from: moment.optional(), to: moment.optional() }),
  response: window.extend({
    /** Paths relative to the server's address. */
    playlist: z.string(),
    thumbnails: z.string(),
    /** Query that authorizes playback for the operator for some hours; '' for open streams. */
    watchQuery: z.string(),
    /** Null without `from` and `to`, or if the range is unavailable. */
    cut: cut.nullable(),
  }),
});

export const createClip = defineEndpoint({
  ...paths.createClip,
  tag,
  summary: 'Cuts a range of a live stream into an MP4 without re-encoding; it is listed with the recordings.',
  request: oneStream.extend({ from: moment, to: moment }),
  response: cut.extend({ uuid: z.string() }),
});

export const queryRecordPlan = defineEndpoint({
  ...paths.queryRecordPlan,
  tag,
  summary: 'Returns the recording plan: entries with their current and next times, and what is being recorded.',
  request: emptyRequest,
  response: z.object({
    entries: z.array(planRow).max(maxPlanEntries),
    zone: z.string(),
  }),
});

export const saveRecordPlanEntry = defineEndpoint({
  ...paths.saveRecordPlanEntry,
  tag,
  summary: 'Adds an entry to the recording plan, or replaces the one with this id.',
  request: planEntryFields.safeExtend({ token, id: planEntryId.optional() }),
  response: z.object({ id: z.string() }),
});

export const removeRecordPlanEntry = defineEndpoint({
  ...paths.removeRecordPlanEntry,
  tag,
  summary: 'Removes an entry of the recording plan.',
  request: z.object({ token, id: planEntryId }),
  response: nullData,
});

export const queryRecordSplit = defineEndpoint({
  ...paths.queryRecordSplit,
  tag,
  summary: 'Returns the duration and size at which a recording continues in a new file.',
  request: emptyRequest,
  response: recordSplit,
});

export const updateRecordSplit = defineEndpoint({
  ...paths.updateRecordSplit,
  tag,
  summary: 'Sets the maximum duration (seconds) and size (bytes) of one file of a recording; 0 means no limit.',
  request: recordSplit.extend({ token }),
  response: nullData,
});

export const queryRecordRetention = defineEndpoint({
  ...paths.queryRecordRetention,
  tag,
  summary: 'Returns the retention limits, and the recordings that were removed because of them, newest first.',
  request: emptyRequest,
  response: recordRetention.extend({ removals: z.array(retentionRemoval) }),
});

export const updateRecordRetention = defineEndpoint({
  ...paths.updateRecordRetention,
  tag,
  summary: 'Sets the retention limits of finished recordings in days and bytes; 0 keeps everything.',
  request: recordRetention.extend({ token }),
  response: nullData,
});
