// Setting of the monthly limit of streaming hours. The hours of simultaneous streams are added.
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
    /** Permitted hours per month; null without a limit. */
    totalHours: z.number().positive().nullable(),
    /** First counted day, which also determines the day on which each month starts. */
    startDate: z.string(),
  },
  initial: { totalHours: null, startDate: '2026-01-01' },
  facts: {
    /** Start and end of the current month, RFC 3339. */
    periodStart: z.string(),
    periodEnd: z.string(),
    /** Streaming time in the current month, seconds. */
    consumedSeconds: z.number(),
    liveStreams: z.number().int(),
    /** The limit is reached, so new publishers are refused. */
    isExhausted: z.boolean(),
  },
  sent: {
    /** Null removes the limit. */
    totalHours: z.number().positive().max(maxUsageHours).nullable(),
    /** Calendar day, `YYYY-MM-DD`. If absent, the stored day is kept. */
    startDate: z.iso.date().optional(),
  },
  change: ({ totalHours }) =>
    totalHours === null ? changed('limits.hours-unlimited') : changed('limits.hours', { hours: totalHours }),
});
export const { query: queryUsageLimit, update: updateUsageLimit } = usageLimit;
