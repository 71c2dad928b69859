// Setting of slates and backup sources, which replace the source of a stream while the source is down.
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

/** Maximum length of a Base64 image, characters: four per three bytes. */
const maxImageLength = Math.ceil(maxWatermarkBytes / 3) * 4;
/** Maximum length of the patterns in an audit entry, characters. */
const maxShownPatterns = 300;

const pattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *');

/** Text drawn over a slate, without control characters and line breaks. */
const drawnText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text), 'a text of a slate must not contain line breaks or control characters');
const sentTexts = {
  /** Title in large letters; '' for none. If absent, the stored title is kept. */
  title: drawnText(maxSlateTitleLength).optional(),
  /** Line below the title; '' for none. If absent, the stored line is kept. */
  text: drawnText(maxSlateTextLength).optional(),
};

/** Content of a slate: an image, a library clip, or the source's last keyframe. The image replaces unavailable content. */
const contents = ['image', 'clip', 'last-frame'] as const;
export type SlateContent = (typeof contents)[number];

/** A single stream, `app/stream`. */
const streamPath = pattern.refine(
  (path) => !path.includes('*'),
  'a stream must be given as app/stream, such as live/livestream',
);

/** `backup` replaces `stream` while the source of `stream` is down. */
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
    /** Patterns of `app/stream` with `*`; an empty list means every stream. */
    patterns: z.array(z.string()),
    /** Seconds without media until the slate starts. */
    afterSeconds: z.number(),
    /** Maximum minutes of a slate; the stream then ends. */
    longestMinutes: z.number(),
    /** Name of the image; '' for a black screen. */
    image: z.string(),
    content: z.enum(contents).default('image'),
    /** `target` and name of a library file. */
    clip: z.string().default(''),
    clipName: z.string().default(''),
    blur: z.boolean().default(false),
    title: z.string().default(''),
    text: z.string().default(''),
    /** Backup sources. A backup source takes effect before the slate, even if `enabled` is false. */
    backups: z.array(backupSource).default([]),
  },
  initial: {
    ...{ enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, backups: [] },
    content: 'image',
    ...{ image: '', clip: '', clipName: '', blur: false, title: '', text: '' },
  },
  facts: {
    /** Active backup sources: the affected stream (`app/stream`), and milliseconds since the takeover. */
    backupsOnAir: z.array(z.object({ stream: z.string(), onAirMs: z.number() })),
    /** The selected clip is missing on this server, so the image is shown. */
    isClipMissing: z.boolean(),
    /** Streams that started with their slate and have no encoder yet. */
    starts: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `waiting`: requested, but not yet started by the media server. */
        state: z.enum(['preparing', 'waiting', 'on-air', 'failed']),
        progress: z.number().optional(),
        failure: z.string().optional(),
        /** Message key of `failure`; absent if `failure` is a message of FFmpeg. */
        reason: wirePhrase.optional(),
        onAirMs: z.number().optional(),
      }),
    ),
    streams: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `unsupported`: slates do not support the codecs of the stream. `failed`: FFmpeg failed and runs again after a minute. */
        state: z.enum(['preparing', 'ready', 'failed', 'unsupported']),
        /** Progress of encoding the slate, 0 to 1. */
        progress: z.number().optional(),
        /** Last line of FFmpeg's log, or another cause. */
        failure: z.string().optional(),
        /** Message key of `failure`; absent if `failure` is a message of FFmpeg. */
        reason: wirePhrase.optional(),
        /** Progress of encoding the clip, 0 to 1. Viewers see the image meanwhile. */
        clipProgress: z.number().optional(),
        /** Why viewers see the image instead of the clip. */
        clipFailure: z.string().optional(),
        clipReason: wirePhrase.optional(),
        /** Milliseconds since the slate started; absent while the source sends media. */
        onAirMs: z.number().optional(),
      }),
    ),
  },
  sent: {
    enabled: z.boolean().optional(),
    patterns: z.array(pattern).max(maxSlatePatterns).optional(),
    afterSeconds: z.number().min(1).max(longestSlateWaitSeconds).optional(),
    longestMinutes: z.number().min(1).max(longestSlateMinutes).optional(),
    /** PNG, JPEG or WebP file in Base64; '' for a black screen. If absent, the stored image is kept. */
    image: z.string().max(maxImageLength).optional(),
    content: z.enum(contents).optional(),
    /** `target` of a library file. If absent, the stored clip is kept. */
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
    /** JPEG as `data:` URL; null for a black slate. */
    picture: z.string().nullable(),
  }),
});

export const previewSlate = defineEndpoint({
  ...paths.previewSlate,
  tag: 'Settings',
  summary: 'Draws the image of the slate with its texts, as FFmpeg encodes it, without storing anything.',
  request: z.object({
    token: z.string().optional(),
    /** PNG, JPEG or WebP file in Base64; '' for a black screen. If absent, the stored image is used. */
    image: z.string().max(maxImageLength).optional(),
    /** If absent, the stored value is used. */
    content: z.enum(contents).optional(),
    clip: z.string().max(maxNameLength).optional(),
    ...sentTexts,
  }),
  response: z.object({
    /** JPEG as `data:` URL. */
    picture: z.string(),
  }),
});

const startedStream = z.object({
  token: z.string().optional(),
  app: z.string().min(1).max(maxNameLength).default(defaultApp),
  stream: z.string().min(1).max(maxNameLength),
});
/** Encoders require even sizes. */
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
    /** Minutes without an encoder until the stream ends. If absent, the stored value is used. */
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
