import { z } from 'zod';
import { leastRewindBytes, maxKeptBytes, maxRewindMinutes, maxRewindPatterns } from '../../limits.ts';
import { settingCalls } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';

export const { query: queryHighPerformanceHls, update: updateHighPerformanceHls } = settingCalls({
  tag: 'Settings',
  query: {
    ...paths.queryHighPerformanceHls,
    summary: 'Returns whether HLS is delivered without session contexts, so that any cache can serve it.',
  },
  update: {
    ...paths.updateHighPerformanceHls,
    summary:
      'Switches high-performance HLS on or off; fails and changes nothing while the media server is unavailable.',
  },
  shown: { noHlsCtx: z.boolean() },
  sent: { noHlsCtx: z.boolean().default(false) },
});

export const { query: queryLowLatencyHls, update: updateLowLatencyHls } = settingCalls({
  tag: 'Settings',
  query: { ...paths.queryLowLatencyHls, summary: 'Returns whether HLS uses the short segments of low-latency mode.' },
  update: {
    ...paths.updateLowLatencyHls,
    summary: 'Switches low-latency HLS on or off; fails and changes nothing while the media server is unavailable.',
  },
  shown: { hlsLowLatency: z.boolean() },
  sent: { hlsLowLatency: z.boolean().default(false) },
});

const rewindPattern = z
  .string()
  .max(maxStreamPatternLength)
  .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *');

const rewindSettings = z.object({
  /** Length of each stream's rewind window; 0 disables rewinding. */
  minutes: z.number().int().min(0).max(maxRewindMinutes),
  /** Total size of all rewind windows, bytes. The oldest segments are removed first. */
  maxBytes: z.number().int().min(leastRewindBytes).max(maxKeptBytes),
  /** Patterns of `app/stream` with `*`; an empty list means all streams. */
  patterns: z.array(rewindPattern).max(maxRewindPatterns),
});

export const { query: queryRewind, update: updateRewind } = settingCalls({
  tag: 'Settings',
  query: {
    ...paths.queryRewind,
    summary: 'Returns how far back viewers can seek in live streams, and the disk usage of the rewind windows.',
  },
  update: {
    ...paths.updateRewind,
    summary: 'Sets how far back viewers can seek in live streams; older segments are removed.',
  },
  shown: {
    ...rewindSettings.shape,
    /** Total size of the rewind windows on this server, bytes. */
    usedBytes: z.number().int(),
    windows: z.number().int(),
  },
  sent: {
    minutes: rewindSettings.shape.minutes.default(0),
    maxBytes: rewindSettings.shape.maxBytes.optional(),
    patterns: rewindSettings.shape.patterns.default([]),
  },
});
