import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxLabelLength, maxPlaylistFiles, maxTargetUrlLength, maxTimeTextLength } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { acquiredSource, libraryFile, mediaSource, mediaSourceItem } from '../models/media-source.ts';
import { pushTarget, pushTargetUpdate } from '../models/push-target.ts';
import { workerRun, workerStatus } from '../models/worker.ts';
import { paths } from '../paths.ts';

const platformName = z.string().min(1).max(maxLabelLength);

export const vliveTarget = pushTarget.extend({
  files: z.array(mediaSource),
  /** RFC 3339: not sent before; empty or past: at once. */
  startAt: z.string().default(''),
});
export type VliveTarget = z.infer<typeof vliveTarget>;

export const vliveSecret = defineEndpoint({
  ...paths.vliveSecret,
  tag: 'Virtual live',
  summary: 'Virtual live targets by platform; with `action: "update"` saves one target and answers null.',
  request: pushTargetUpdate.extend({
    files: z.array(mediaSource).max(maxPlaylistFiles).default([]),
    /** Date and time with offset (RFC 3339), or empty for at once. Left out, the time that is set stays. */
    startAt: z.string().max(maxTimeTextLength).optional(),
  }),
  response: z.union([nullData, z.record(z.string(), vliveTarget)]),
});

/** Where a looping playlist is, worked out from the sent media time and the lengths of its files. */
export const vlivePlaying = z.object({
  /** Places in `files` of what plays now and of what comes then. */
  index: z.number().int(),
  nextIndex: z.number().int(),
  /** In the file that plays, and its length, milliseconds. */
  positionMs: z.number(),
  durationMs: z.number(),
});
export type VlivePlaying = z.infer<typeof vlivePlaying>;

export const vliveRow = z.object({
  platform: z.string(),
  enabled: z.boolean(),
  custom: z.boolean(),
  label: z.string(),
  files: z.array(mediaSource),
  /** `uuid` of the input file (the first one of a playlist), only while a process runs. */
  source: z.string().optional(),
  /** Only while media flows, from files whose length is known. */
  playing: vlivePlaying.optional(),
  /** RFC 3339; empty when it starts at once. */
  startAt: z.string(),
  /** What has to be encoded again: the target does not take it, or the files of a playlist differ. */
  transcoded: z.object({ video: z.boolean(), audio: z.boolean() }),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type VliveRow = z.infer<typeof vliveRow>;

export const vliveStreams = defineEndpoint({
  ...paths.vliveStreams,
  tag: 'Virtual live',
  summary: 'One status row per virtual live target, sorted by platform.',
  request: emptyRequest,
  response: z.array(vliveRow),
});

/** `url` may also be in the query; an unescaped one runs to the next `&`. */
export const vliveStreamUrl = defineEndpoint({
  ...paths.vliveStreamUrl,
  tag: 'Virtual live',
  summary: 'Checks the address of a remote stream (rtmp, rtmps, rtsp, srt, http-flv, hls, http-ts).',
  request: z.object({ token: z.string().optional(), url: z.string().max(maxTargetUrlLength).default('') }),
  response: acquiredSource,
});

/** `file` may also be in the query. */
export const vliveServerFile = defineEndpoint({
  ...paths.vliveServerFile,
  tag: 'Virtual live',
  summary: 'Takes a file of the data folder (`/data/...` or `upload/...`) as a source.',
  request: z.object({ token: z.string().optional(), file: z.string().max(4096).default('') }),
  response: acquiredSource,
});

export const vliveSource = defineEndpoint({
  ...paths.vliveSource,
  tag: 'Virtual live',
  summary: 'Probes the given files or streams and makes them the ordered playlist of a platform.',
  request: z.object({
    token: z.string().optional(),
    platform: z.string().max(maxLabelLength).default(''),
    files: z.array(mediaSourceItem).max(maxPlaylistFiles).default([]),
  }),
  response: z.object({ platform: z.string(), files: z.array(mediaSource) }),
});

/** Ours. */
export const removeVlive = defineEndpoint({
  ...paths.removeVlive,
  tag: 'Virtual live',
  summary: 'Stops a virtual live target and forgets it; its files stay in the library.',
  request: z.object({ token: z.string().optional(), platform: platformName }),
  response: nullData,
});

/** Ours: a resumable upload is found here by its id as soon as it is complete. */
export const queryLibrary = defineEndpoint({
  ...paths.queryLibrary,
  tag: 'Virtual live',
  summary: 'Uploaded files that can be used again, newest first, and the room left for more.',
  request: emptyRequest,
  response: z.object({
    files: z.array(libraryFile),
    /** Bytes that can still be stored. */
    freeBytes: z.number(),
    /** Largest single file, bytes. */
    maxFileBytes: z.number(),
  }),
});

/** Ours. */
export const removeLibraryFile = defineEndpoint({
  ...paths.removeLibraryFile,
  tag: 'Virtual live',
  summary: 'Deletes a file of the library; refused while a virtual live target uses it.',
  request: z.object({ token: z.string().optional(), uuid: z.string().min(1).max(64) }),
  response: nullData,
});
