// Extensions: the backup source and the slate that viewers and targets receive while the source of a stream is down.
import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import {
  longestSlateMinutes,
  longestSlateWaitSeconds,
  maxBackupSources,
  maxSlatePatterns,
  maxWatermarkBytes,
} from '../../limits.ts';
import { emptyRequest } from '../../models/envelope.ts';
import { defineSetting } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';

/** Base64 takes four characters for three bytes. */
const maxImageLength = Math.ceil(maxWatermarkBytes / 3) * 4;
/** Length limit of the patterns in the audit trail, characters. */
const maxShownPatterns = 300;

const pattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern is like live/livestream, live/* or *');

/** `app/stream`, one stream. */
const streamPath = pattern.refine((path) => !path.includes('*'), 'a stream is like live/livestream');

/** `backup` replaces the source of `stream` while that is down. */
const backupSource = z.object({ stream: z.string(), backup: z.string() });
const sentBackup = z
  .object({ stream: streamPath, backup: streamPath })
  .refine(({ stream, backup }) => stream !== backup, 'a stream cannot be its own backup');
const sentBackups = z
  .array(sentBackup)
  .max(maxBackupSources)
  .refine((all) => new Set(all.map(({ stream }) => stream)).size === all.length, 'a stream has one backup');

export const slates = defineSetting({
  tag: 'Settings',
  query: {
    ...paths.querySlates,
    summary: 'Returns the slate that plays while the source of a stream is down, and the streams it is prepared for.',
  },
  update: {
    ...paths.updateSlates,
    summary: 'Sets which streams continue with a slate while their source is down, after what delay and for how long.',
  },
  key: 'slates',
  stored: {
    enabled: z.boolean(),
    /** `app/stream` with `*`; empty: every stream. */
    patterns: z.array(z.string()),
    /** Time without media from the source after which the slate begins, seconds. */
    afterSeconds: z.number(),
    /** The stream ends after this much slate, minutes. */
    longestMinutes: z.number(),
    /** Name of the image; empty: a black screen. */
    image: z.string(),
    /** Independent of `enabled`; before the slate. */
    backups: z.array(backupSource).default([]),
  },
  initial: { enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, image: '', backups: [] },
  facts: {
    /** Backup sources that are on the air: `app/stream` of the stream they continue, and for how long, milliseconds. */
    backupsOnAir: z.array(z.object({ stream: z.string(), onAirMs: z.number() })),
    streams: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `unsupported`: no slate can be made for the codecs. `failed`: FFmpeg could not make it; tried again after a minute. */
        state: z.enum(['preparing', 'ready', 'failed', 'unsupported']),
        /** While FFmpeg encodes the slate of this stream: how much is done, 0 to 1. */
        progress: z.number().optional(),
        /** Last line of FFmpeg, where it failed. */
        failure: z.string().optional(),
        /** How long the slate has been playing, milliseconds; absent while the source sends. */
        onAirMs: z.number().optional(),
      }),
    ),
  },
  sent: {
    enabled: z.boolean().optional(),
    patterns: z.array(pattern).max(maxSlatePatterns).optional(),
    afterSeconds: z.number().min(1).max(longestSlateWaitSeconds).optional(),
    longestMinutes: z.number().min(1).max(longestSlateMinutes).optional(),
    /** A PNG, JPEG or WebP file in Base64; empty: a black screen. Absent: unchanged. */
    image: z.string().max(maxImageLength).optional(),
    /** Absent: unchanged. */
    backups: sentBackups.optional(),
  },
  change: ({ enabled, patterns, afterSeconds }) =>
    enabled
      ? changed('slates.on', {
          seconds: afterSeconds,
          patterns: patterns.join(', ').slice(0, maxShownPatterns) || '*',
        })
      : changed('slates.off'),
});
export const { query: querySlates, update: updateSlates } = slates;

export const querySlatePicture = defineEndpoint({
  ...paths.querySlatePicture,
  tag: 'Settings',
  summary: 'The image of the slate.',
  request: emptyRequest,
  response: z.object({
    /** `data:` address of a JPEG; null while the slate is a dark screen. */
    picture: z.string().nullable(),
  }),
});
