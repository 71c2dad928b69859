import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { leastRewindBytes, maxKeptBytes, maxRewindMinutes, maxRewindPatterns } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';

export const queryHighPerformanceHls = defineEndpoint({
  ...paths.queryHighPerformanceHls,
  tag: 'Settings',
  summary: 'Whether HLS is delivered without session contexts, so that any cache can serve it.',
  request: emptyRequest,
  response: z.object({ noHlsCtx: z.boolean(), revision: settingsRevision }),
});

export const updateHighPerformanceHls = defineEndpoint({
  ...paths.updateHighPerformanceHls,
  tag: 'Settings',
  summary: 'Switches high-performance HLS; fails and changes nothing while the media server is away.',
  request: z.object({ token: z.string().optional(), noHlsCtx: z.boolean().default(false), revision: expectedRevision }),
  response: nullData,
});

export const queryLowLatencyHls = defineEndpoint({
  ...paths.queryLowLatencyHls,
  tag: 'Settings',
  summary: 'Whether HLS uses the short segments of low-latency mode.',
  request: emptyRequest,
  response: z.object({ hlsLowLatency: z.boolean(), revision: settingsRevision }),
});

export const updateLowLatencyHls = defineEndpoint({
  ...paths.updateLowLatencyHls,
  tag: 'Settings',
  summary: 'Switches low-latency HLS; fails and changes nothing while the media server is away.',
  request: z.object({
    token: z.string().optional(),
    hlsLowLatency: z.boolean().default(false),
    revision: expectedRevision,
  }),
  response: nullData,
});

const rewindPattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern is like live/livestream, live/* or *');

const rewindSettings = z.object({
  /** Length of the window of each stream; 0: nothing can be rewound. */
  minutes: z.number().int().min(0).max(maxRewindMinutes),
  /** Of all windows together; the oldest of all goes first. */
  maxBytes: z.number().int().min(leastRewindBytes).max(maxKeptBytes),
  /** `app/stream` with `*`; none stands for all streams. */
  patterns: z.array(rewindPattern).max(maxRewindPatterns),
});

/** Ours: how far back viewers can go in a live stream. */
export const queryRewind = defineEndpoint({
  ...paths.queryRewind,
  tag: 'Settings',
  summary: 'How far back viewers can go in live streams, and what the windows take now.',
  request: emptyRequest,
  response: rewindSettings.extend({
    /** Bytes of all windows of this server. */
    usedBytes: z.number().int(),
    /** Streams that have a window now. */
    windows: z.number().int(),
    revision: settingsRevision,
  }),
});

export const updateRewind = defineEndpoint({
  ...paths.updateRewind,
  tag: 'Settings',
  summary: 'Sets how far back viewers can go in live streams; what is above it is removed.',
  request: z.object({
    token: z.string().optional(),
    minutes: rewindSettings.shape.minutes.default(0),
    maxBytes: rewindSettings.shape.maxBytes.optional(),
    patterns: rewindSettings.shape.patterns.default([]),
    revision: expectedRevision,
  }),
  response: nullData,
});
