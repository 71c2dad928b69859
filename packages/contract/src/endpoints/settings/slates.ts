// The backup source and the slate that viewers and targets receive while the source of a stream is down.
import { z } from 'zod';
import { defaultApp } from '../../constants.ts';
import { defineEndpoint } from '../../endpoint.ts';
import {
  longestSlateMinutes,
  longestSlateWaitSeconds,
  maxBackupSources,
  maxNameLength,
  maxSlatePatterns,
  maxSlateTextLength,
  maxSlateTitleLength,
  maxWatermarkBytes,
  slateFrameSides,
  slateStartRates,
} from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { defineSetting } from '../../models/setting.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';

/** Longest image of a slate in Base64, characters: four for three bytes. */
const maxImageLength = Math.ceil(maxWatermarkBytes / 3) * 4;
/** Length limit of the patterns in the audit trail, characters. */
const maxShownPatterns = 300;

const pattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *');

/** Text that is drawn into the image, without control characters and line breaks. */
const drawnText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text), 'a text of a slate must not contain line breaks or control characters');
const sentTexts = {
  /** Title in large letters; empty: none. Absent: unchanged. */
  title: drawnText(maxSlateTitleLength).optional(),
  /** Second line below the title; empty: none. Absent: unchanged. */
  text: drawnText(maxSlateTextLength).optional(),
};

/**
 * What the slate shows: the image, a clip of the library, or the last keyframe of the source. The image replaces content that is not
 * available.
 */
const contents = ['image', 'clip', 'last-frame'] as const;
export type SlateContent = (typeof contents)[number];

/** `app/stream`, one stream. */
const streamPath = pattern.refine(
  (path) => !path.includes('*'),
  'a stream must be given as app/stream, such as live/livestream',
);

/** `backup` replaces the source of `stream` while that is down. */
const backupSource = z.object({ stream: z.string(), backup: z.string() });
const sentBackup = z
  .object({ stream: streamPath, backup: streamPath })
  .refine(({ stream, backup }) => stream !== backup, 'a stream cannot be its own backup');
const sentBackups = z
  .array(sentBackup)
  .max(maxBackupSources)
  .refine((all) => new Set(all.map(({ stream }) => stream)).size === all.length, 'a stream can have only one backup');

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
    /** Time without media from the source until the slate starts, seconds. */
    afterSeconds: z.number(),
    /** Maximum duration of a slate, minutes; then the stream ends. */
    longestMinutes: z.number(),
    /** Name of the image; empty: a black screen. */
    image: z.string(),
    content: z.enum(contents).default('image'),
    /** `target` of a file of the library, and the name of the file. */
    clip: z.string().default(''),
    clipName: z.string().default(''),
    /** Whether the last frame is blurred. */
    blur: z.boolean().default(false),
    /** Title and second line, which are drawn into the slate. */
    title: z.string().default(''),
    text: z.string().default(''),
    /** Backup sources. They take effect before the slate, and even if `enabled` is false. */
    backups: z.array(backupSource).default([]),
  },
  initial: {
    ...{ enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, backups: [] },
    content: 'image',
    ...{ image: '', clip: '', clipName: '', blur: false, title: '', text: '' },
  },
  facts: {
    /** Active backup sources: `app/stream` of the stream that they continue, and time since they took over, milliseconds. */
    backupsOnAir: z.array(z.object({ stream: z.string(), onAirMs: z.number() })),
    /** True when the clip of the setting is not on this server, so that the image is shown. */
    isClipMissing: z.boolean(),
    /** Streams that were started with their slate and still have no source. */
    starts: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `waiting`: ordered, but not yet started by the media server. */
        state: z.enum(['preparing', 'waiting', 'on-air', 'failed']),
        progress: z.number().optional(),
        failure: z.string().optional(),
        /** `failure` as a message key; absent for a message of FFmpeg. */
        reason: wirePhrase.optional(),
        onAirMs: z.number().optional(),
      }),
    ),
    streams: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `unsupported`: slates do not support the codecs of the stream. `failed`: FFmpeg failed; it is retried after a minute. */
        state: z.enum(['preparing', 'ready', 'failed', 'unsupported']),
        /** Progress while FFmpeg encodes the slate of this stream, 0 to 1. */
        progress: z.number().optional(),
        /** The last line of FFmpeg's log, or another cause of the failure. */
        failure: z.string().optional(),
        /** `failure` as a message key; absent for a message of FFmpeg. */
        reason: wirePhrase.optional(),
        /** Progress while the clip is encoded, 0 to 1; the image is shown meanwhile. */
        clipProgress: z.number().optional(),
        /** Why the image is shown instead of the clip. */
        clipFailure: z.string().optional(),
        clipReason: wirePhrase.optional(),
        /** Time since the slate started, milliseconds; absent while the source sends. */
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
    content: z.enum(contents).optional(),
    /** `target` of a file of the library. Absent: unchanged. */
    clip: z.string().max(maxNameLength).optional(),
    clipName: z.string().max(maxNameLength).optional(),
    blur: z.boolean().optional(),
    ...sentTexts,
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
  summary: 'Returns the image of the slate.',
  request: emptyRequest,
  response: z.object({
    /** `data:` URL of a JPEG; null while the slate is black. */
    picture: z.string().nullable(),
  }),
});

export const previewSlate = defineEndpoint({
  ...paths.previewSlate,
  tag: 'Settings',
  summary: 'Draws the image of the slate with its texts, as FFmpeg encodes it, without storing anything.',
  request: z.object({
    token: z.string().optional(),
    /** A PNG, JPEG or WebP file in Base64; empty: a black screen. Absent: the stored image. */
    image: z.string().max(maxImageLength).optional(),
    /** Absent: the stored value. */
    content: z.enum(contents).optional(),
    clip: z.string().max(maxNameLength).optional(),
    ...sentTexts,
  }),
  response: z.object({
    /** `data:` URL of a JPEG. */
    picture: z.string(),
  }),
});

const startedStream = z.object({
  token: z.string().optional(),
  app: z.string().min(1).max(maxNameLength).default(defaultApp),
  stream: z.string().min(1).max(maxNameLength),
});
/** Even, as encoders require. */
const side = z.int().min(slateFrameSides.min).max(slateFrameSides.max).multipleOf(2);

export const startSlate = defineEndpoint({
  ...paths.startSlate,
  tag: 'Settings',
  summary:
    'Starts a stream with its slate before its encoder connects. The encoder takes over with its first keyframe.',
  request: startedStream.extend({
    width: side.default(1920),
    height: side.default(1080),
    fps: z.literal(slateStartRates).default(30),
    sampleRate: z.literal([44_100, 48_000]).default(48_000),
    /** Time after which the stream ends unless an encoder has connected, minutes. Absent: the value of the setting. */
    longestMinutes: z.number().min(1).max(longestSlateMinutes).optional(),
  }),
  response: nullData,
});

export const stopSlate = defineEndpoint({
  ...paths.stopSlate,
  tag: 'Settings',
  summary: 'Ends a stream that was started with its slate and has no encoder yet.',
  request: startedStream,
  response: nullData,
});
