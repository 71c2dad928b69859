// Extensions: the backup source and the slate that viewers and targets receive while the source of a stream is down.
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

/** Base64 takes four characters for three bytes. */
const maxImageLength = Math.ceil(maxWatermarkBytes / 3) * 4;
/** Length limit of the patterns in the audit trail, characters. */
const maxShownPatterns = 300;

const pattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern is like live/livestream, live/* or *');

/** Drawn into the image, without control characters and line breaks. */
const drawnText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .refine((text) => !/\p{Cc}/u.test(text), 'a text of a slate has no line breaks and control characters');
const sentTexts = {
  /** Large, in the middle or in the lower part of the image; empty: none. Absent: unchanged. */
  title: drawnText(maxSlateTitleLength).optional(),
  /** Below the title; empty: none. Absent: unchanged. */
  text: drawnText(maxSlateTextLength).optional(),
};

/** What is shown: the image, a clip of the library, or the last keyframe of the source. The image replaces what is not available. */
const contents = ['image', 'clip', 'last-frame'] as const;
export type SlateContent = (typeof contents)[number];

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
    content: z.enum(contents).default('image'),
    /** `target` of a library file, and its name. */
    clip: z.string().default(''),
    clipName: z.string().default(''),
    /** The last frame is blurred. */
    blur: z.boolean().default(false),
    /** Drawn into what is shown. */
    title: z.string().default(''),
    text: z.string().default(''),
    /** Independent of `enabled`; before the slate. */
    backups: z.array(backupSource).default([]),
  },
  initial: {
    ...{ enabled: false, patterns: [], afterSeconds: 3, longestMinutes: 10, backups: [] },
    content: 'image',
    ...{ image: '', clip: '', clipName: '', blur: false, title: '', text: '' },
  },
  facts: {
    /** Backup sources that are on the air: `app/stream` of the stream they continue, and for how long, milliseconds. */
    backupsOnAir: z.array(z.object({ stream: z.string(), onAirMs: z.number() })),
    /** The clip of the setting is not on this server: the image is shown instead. */
    isClipMissing: z.boolean(),
    /** Streams that were started with their slate and have no source yet. */
    starts: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `waiting`: ordered, but not started by the media server yet. */
        state: z.enum(['preparing', 'waiting', 'on-air', 'failed']),
        progress: z.number().optional(),
        failure: z.string().optional(),
        /** `failure` as a key of the refusal details; absent for a message of FFmpeg. */
        reason: wirePhrase.optional(),
        onAirMs: z.number().optional(),
      }),
    ),
    streams: z.array(
      z.object({
        app: z.string(),
        stream: z.string(),
        /** `unsupported`: no slate can be made for the codecs. `failed`: FFmpeg could not make it; tried again after a minute. */
        state: z.enum(['preparing', 'ready', 'failed', 'unsupported']),
        /** While FFmpeg encodes the slate of this stream: how much is done, 0 to 1. */
        progress: z.number().optional(),
        /** The last line of FFmpeg's log, or another cause. */
        failure: z.string().optional(),
        /** `failure` as a key of the refusal details; absent for a message of FFmpeg. */
        reason: wirePhrase.optional(),
        /** While the clip is encoded, during which the image is shown: how much is done, 0 to 1. */
        clipProgress: z.number().optional(),
        /** Why the image is shown instead of the clip. */
        clipFailure: z.string().optional(),
        clipReason: wirePhrase.optional(),
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
  summary: 'The image of the slate.',
  request: emptyRequest,
  response: z.object({
    /** `data:` address of a JPEG; null while the slate is a dark screen. */
    picture: z.string().nullable(),
  }),
});

export const previewSlate = defineEndpoint({
  ...paths.previewSlate,
  tag: 'Settings',
  summary: 'Draws the image of the slate with its texts, as FFmpeg encodes it, without storing anything.',
  request: z.object({
    token: z.string().optional(),
    /** A PNG, JPEG or WebP file in Base64; empty: a dark screen. Absent: the stored image. */
    image: z.string().max(maxImageLength).optional(),
    /** Absent: as stored. */
    content: z.enum(contents).optional(),
    clip: z.string().max(maxNameLength).optional(),
    ...sentTexts,
  }),
  response: z.object({
    /** `data:` address of a JPEG. */
    picture: z.string(),
  }),
});

const startedStream = z.object({
  token: z.string().optional(),
  app: z.string().min(1).max(maxNameLength).default(defaultApp),
  stream: z.string().min(1).max(maxNameLength),
});
/** Even, as encoders need it. */
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
    /** The stream ends when no encoder has connected by then. Absent: that of the setting. */
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
