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
  /** Start time, RFC 3339. Empty or past times start immediately. */
  startAt: z.string().default(''),
});
export type VliveTarget = z.infer<typeof vliveTarget>;

export const vliveSecret = defineEndpoint({
  ...paths.vliveSecret,
  tag: 'Virtual live',
  summary: 'Returns the virtual live targets by platform; with `action: "update"` saves one target and returns null.',
  request: pushTargetUpdate.extend({
    files: z.array(mediaSource).max(maxPlaylistFiles).default([]),
    /** Start time, RFC 3339 with offset; '' starts immediately. If absent, the stored time is kept. */
    startAt: z.string().max(maxTimeTextLength).optional(),
  }),
  response: z.union([nullData, z.record(z.string(), vliveTarget)]),
});

/** Position in a looping playlist, computed from the sent media time and the file durations. */
export const vlivePlaying = z.object({
  index: z.number().int(),
  nextIndex: z.number().int(),
  /** Position and duration of the current file, milliseconds. */
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
  /** `uuid` of the input file, or of the first file in a playlist; absent without a running process. */
  source: z.string().optional(),
  /** Absent without media, or for files of unknown duration. */
  playing: vlivePlaying.optional(),
  /** RFC 3339; '' for an immediate start. */
  startAt: z.string(),
  /** Tracks that are re-encoded, for example because the target does not support the codec or the files of the playlist differ. */
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

/** `url` may also be in the query, where an unescaped value ends at the next `&`. */
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

/** A completed resumable upload appears with the upload id as `uuid`. */
export const queryLibrary = defineEndpoint({
  ...paths.queryLibrary,
  tag: 'Virtual live',
  summary: 'Lists uploaded files, newest first, and the space left for more.',
  request: emptyRequest,
  response: z.object({
    files: z.array(libraryFile),
    /** Free space for uploads, bytes. */
    freeBytes: z.number(),
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
