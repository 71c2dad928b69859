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
  /** Start time, RFC 3339; empty or past: immediately. */
  startAt: z.string().default(''),
});
export type VliveTarget = z.infer<typeof vliveTarget>;

export const vliveSecret = defineEndpoint({
  ...paths.vliveSecret,
  tag: 'Virtual live',
  summary: 'Returns the virtual live targets by platform; with `action: "update"` saves one target and returns null.',
  request: pushTargetUpdate.extend({
    files: z.array(mediaSource).max(maxPlaylistFiles).default([]),
    /** Date and time with offset (RFC 3339), or empty to start immediately. Absent: unchanged. */
    startAt: z.string().max(maxTimeTextLength).optional(),
  }),
  response: z.union([nullData, z.record(z.string(), vliveTarget)]),
});

/** Position in a looping playlist, computed from the sent media time and the durations of the files. */
export const vlivePlaying = z.object({
  /** Indexes in `files` of the current and the next file. */
  index: z.number().int(),
  nextIndex: z.number().int(),
  /** Position in the current file, and its duration, milliseconds. */
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
  /** `uuid` of the input file (of a playlist: its first file); present only while a process runs. */
  source: z.string().optional(),
  /** Present only while media flows from files with known durations. */
  playing: vlivePlaying.optional(),
  /** RFC 3339; empty: immediately. */
  startAt: z.string(),
  /** Tracks that must be re-encoded, because the target does not support them or the files of a playlist differ. */
  transcoded: z.object({ video: z.boolean(), audio: z.boolean() }),
  ...workerRun.shape,
  ...workerStatus.shape,
});
export type VliveRow = z.infer<typeof vliveRow>;

export const vliveStreams = defineEndpoint({
  ...paths.vliveStreams,
  tag: 'Virtual live',
  summary: 'Returns one status row per virtual live target, sorted by platform.',
  request: emptyRequest,
  response: z.array(vliveRow),
});

/** `url` may also be in the query; an unescaped value extends to the next `&`. */
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
  summary: 'Uses a file of the data folder (`/data/...` or `upload/...`) as a source.',
  request: z.object({ token: z.string().optional(), file: z.string().max(4096).default('') }),
  response: acquiredSource,
});

export const vliveSource = defineEndpoint({
  ...paths.vliveSource,
  tag: 'Virtual live',
  summary: 'Probes the given files or streams and saves them as the playlist of a platform.',
  request: z.object({
    token: z.string().optional(),
    platform: z.string().max(maxLabelLength).default(''),
    files: z.array(mediaSourceItem).max(maxPlaylistFiles).default([]),
  }),
  response: z.object({ platform: z.string(), files: z.array(mediaSource) }),
});

export const removeVlive = defineEndpoint({
  ...paths.removeVlive,
  tag: 'Virtual live',
  summary: 'Stops and removes a virtual live target; its files stay in the library.',
  request: z.object({ token: z.string().optional(), platform: platformName }),
  response: nullData,
});

/** A resumable upload is listed with its id as `uuid` as soon as it is complete. */
export const queryLibrary = defineEndpoint({
  ...paths.queryLibrary,
  tag: 'Virtual live',
  summary: 'Lists uploaded files, newest first, and the space left for more.',
  request: emptyRequest,
  response: z.object({
    files: z.array(libraryFile),
    /** Space left for uploads, bytes. */
    freeBytes: z.number(),
    /** Largest single file, bytes. */
    maxFileBytes: z.number(),
  }),
});

export const removeLibraryFile = defineEndpoint({
  ...paths.removeLibraryFile,
  tag: 'Virtual live',
  summary: 'Deletes a file of the library; refused while a virtual live target uses the file.',
  request: z.object({ token: z.string().optional(), uuid: z.string().min(1).max(64) }),
  response: nullData,
});
