// Hours of live streams in the current month; simultaneous streams add up.
import { z } from 'zod';
import { maxUsageHours } from '../../limits.ts';
import { defineSetting } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';

export const usageLimit = defineSetting({
  tag: 'Settings',
  query: {
    ...paths.queryUsageLimit,
    summary: 'Returns the hours of live streams used in the current month, and the limit.',
  },
  update: {
    ...paths.updateUsageLimit,
    summary:
      'Sets the hours of live streams per month; above the limit, new publishers are refused and running ones stay.',
  },
  key: 'usage-limit',
  stored: {
    /** Hours allowed per month; null: no limit. */
    totalHours: z.number().positive().nullable(),
    /** First day of counting; each month begins on the same day. */
    startDate: z.string(),
  },
  initial: { totalHours: null, startDate: '2026-01-01' },
  facts: {
    /** Begin and end of the current month, RFC 3339. */
    periodStart: z.string(),
    periodEnd: z.string(),
    /** Streaming time in the current month, seconds. */
    consumedSeconds: z.number(),
    /** Number of streams that are being counted. */
    liveStreams: z.number().int(),
    /** Whether the limit is reached: new publishers are refused. */
    isExhausted: z.boolean(),
  },
  sent: {
    /** Null: no limit. */
    totalHours: z.number().positive().max(maxUsageHours).nullable(),
    /** Calendar day, `YYYY-MM-DD`. Absent: unchanged. */
    startDate: z.iso.date().optional(),
  },
  change: ({ totalHours }) =>
    totalHours === null ? changed('limits.hours-unlimited') : changed('limits.hours', { hours: totalHours }),
});
export const { query: queryUsageLimit, update: updateUsageLimit } = usageLimit;
