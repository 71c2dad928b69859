import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import {
  maxGlobLength,
  maxPathLength,
  maxRecordGlobs,
  maxRecordPage,
  maxRewindWindows,
  maxSearchLength,
  maxTimeTextLength,
} from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { fileNode } from '../models/file-node.ts';
import {
  recordDiskStates,
  recordRetention,
  recordRow,
  recordTotals,
  removedRecord,
  retentionRemoval,
} from '../models/recording.ts';
import { paths } from '../paths.ts';

const tag = 'Record';
const token = z.string().optional();
const oneRecord = z.object({ token, uuid: z.string().min(1).max(64) });
const search = z.string().max(maxSearchLength).default('');

export const recordRules = z.object({
  /** Record every stream that passes the filters. */
  all: z.boolean(),
  /** Where recordings are, as the operator writes paths: below the data folder. */
  home: z.string(),
  /** The same place as an absolute path of the machine the server runs on. */
  directory: z.string(),
  /** Shell-style patterns of `/{app}/{stream}`; none records everything. */
  globs: z.array(z.string()),
  /** Folder that gets a copy of each finished MP4; empty for none. */
  processCpDir: z.string(),
});
export type RecordRules = z.infer<typeof recordRules>;

export const queryRecord = defineEndpoint({
  ...paths.queryRecord,
  tag,
  summary: 'Rules of local recording.',
  request: emptyRequest,
  response: recordRules,
});

export const applyRecord = defineEndpoint({
  ...paths.applyRecord,
  tag,
  summary: 'Switches the recording of all streams on or off; off, running recordings end 30 seconds later.',
  request: z.object({ token, all: z.boolean().default(false) }),
  response: nullData,
});

export const updateRecordGlobs = defineEndpoint({
  ...paths.updateRecordGlobs,
  tag,
  summary: 'Replaces the name filters: shell-style patterns of `/{app}/{stream}`.',
  request: z.object({ token, globs: z.array(z.string().max(maxGlobLength)).max(maxRecordGlobs).default([]) }),
  response: nullData,
});

export const updateRecordPostProcessing = defineEndpoint({
  ...paths.updateRecordPostProcessing,
  tag,
  summary: 'Sets the folder that gets a copy of each finished MP4; an empty one switches copying off.',
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
  summary: 'Recordings of all servers, newest first; all of them, or those of a search or a page.',
  request: z.object({
    token,
    /** Part of `app/stream`, of the uuid, of the begin time or of the name of its server, in any case. */
    search,
    offset: z.number().int().min(0).default(0),
    /** All when left out. */
    limit: z.number().int().min(1).max(maxRecordPage).optional(),
  }),
  response: z.array(recordRow),
});

/** Ours: what the page shows beside the rows. */
export const queryRecordStatus = defineEndpoint({
  ...paths.queryRecordStatus,
  tag,
  summary: 'Totals of all recordings and of those that match a search, and the room on the disk of this server.',
  request: z.object({ token, search }),
  response: z.object({
    totals: recordTotals,
    matching: recordTotals,
    disk: z.object({
      state: z.enum(recordDiskStates),
      freeBytes: z.number(),
      totalBytes: z.number(),
      /** Recording pauses below this. */
      reserveBytes: z.number(),
    }),
    /** Servers that have recordings, this one first; absent where there is one server alone. */
    nodes: z.array(fileNode.extend({ recordings: z.number().int() })).optional(),
  }),
});

export const removeRecord = defineEndpoint({
  ...paths.removeRecord,
  tag,
  summary: 'Deletes a recording; it stays in the bin for 24 hours unless `forever` is set.',
  request: oneRecord.extend({ forever: z.boolean().default(false) }),
  response: nullData,
});

export const endRecord = defineEndpoint({
  ...paths.endRecord,
  tag,
  summary: 'Ends a running recording now; a stream that is still live goes on in a new one.',
  request: oneRecord,
  response: nullData,
});

/** Ours: what can be restored. */
export const queryRecordBin = defineEndpoint({
  ...paths.queryRecordBin,
  tag,
  summary: 'Deleted recordings that can still be restored, newest first.',
  request: emptyRequest,
  response: z.array(removedRecord),
});

export const restoreRecord = defineEndpoint({
  ...paths.restoreRecord,
  tag,
  summary: 'Takes a deleted recording out of the bin.',
  request: oneRecord,
  response: nullData,
});

export const emptyRecordBin = defineEndpoint({
  ...paths.emptyRecordBin,
  tag,
  summary: 'Deletes what is in the bin for good and frees its room.',
  request: emptyRequest,
  response: nullData,
});

const oneStream = z.object({
  token,
  app: z.string().min(1).max(maxGlobLength),
  stream: z.string().min(1).max(maxGlobLength),
});

/** Ours: the record button of a live stream. */
export const queryStreamRecording = defineEndpoint({
  ...paths.queryStreamRecording,
  tag,
  summary: 'Is this stream recorded: wanted by its own choice or by the rules, and since when one runs.',
  request: oneStream,
  response: z.object({
    wanted: z.boolean(),
    /** The choice for this stream; null when the rules decide. */
    chosen: z.boolean().nullable(),
    /** RFC 3339: begin of the recording that runs; empty while none does. */
    since: z.string(),
  }),
});

export const updateStreamRecording = defineEndpoint({
  ...paths.updateStreamRecording,
  tag,
  summary: 'Starts or ends the recording of one stream, whatever the rules for all streams say; the choice is kept.',
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

/** Ours: what a clip can be made of. */
export const queryRewindWindows = defineEndpoint({
  ...paths.queryRewindWindows,
  tag,
  summary: 'Streams that can be rewound, live or ended a moment ago, on this server.',
  request: emptyRequest,
  response: z.array(window).max(maxRewindWindows),
});

const moment = z.string().max(maxTimeTextLength);
const cut = z.object({
  /** RFC 3339: the keyframe it begins at, and the one before which it ends. */
  from: z.string(),
  to: z.string(),
  seconds: z.number(),
  sizeBytes: z.number().int(),
});

/** Ours: one window, with what a clip of a piece of it would be. */
export const queryRewindWindow = defineEndpoint({
  ...paths.queryRewindWindow,
  tag,
  summary: 'What can be rewound of one stream, its addresses, and where exactly a clip would be cut.',
  request: oneStream.extend({ from: moment.optional(), to: moment.optional() }),
  response: window.extend({
    /** Paths below the address of the server. */
    playlist: z.string(),
    thumbnails: z.string(),
    /** What opens them for who is logged in, some hours long; empty where everybody may watch. */
    watchQuery: z.string(),
    /** Null when from and to are left out, or nothing of that is kept. */
    cut: cut.nullable(),
  }),
});

export const createClip = defineEndpoint({
  ...paths.createClip,
  tag,
  summary: 'Cuts a piece of a live stream to an MP4 without re-encoding; it is listed with the recordings.',
  request: oneStream.extend({ from: moment, to: moment }),
  response: cut.extend({ uuid: z.string() }),
});

/** Ours: what is removed by itself, and what was. */
export const queryRecordRetention = defineEndpoint({
  ...paths.queryRecordRetention,
  tag,
  summary: 'How long and how much is kept, and the recordings that were removed for it, newest first.',
  request: emptyRequest,
  response: recordRetention.extend({ removals: z.array(retentionRemoval) }),
});

export const updateRecordRetention = defineEndpoint({
  ...paths.updateRecordRetention,
  tag,
  summary: 'Sets how many days and how many bytes of finished recordings are kept; 0 keeps everything.',
  request: recordRetention.extend({ token }),
  response: nullData,
});
