import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxUsageHours } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

/** Calendar day, `YYYY-MM-DD`. */
const calendarDay = z.iso.date();

/** Ours: hours of live streams in the current month; streams at the same time add up. */
export const queryUsageLimit = defineEndpoint({
  ...paths.queryUsageLimit,
  tag: 'Settings',
  summary: 'Hours of live streams used in the current month, and the limit.',
  request: emptyRequest,
  response: z.object({
    /** Hours allowed per month; null: no limit. */
    totalHours: z.number().nullable(),
    /** The day the months are counted from: a month begins on the same day of each calendar month. */
    startDate: z.string(),
    /** Begin and end of the current month, RFC 3339. */
    periodStart: z.string(),
    periodEnd: z.string(),
    /** Streamed in the current month, seconds. */
    consumedSeconds: z.number(),
    /** Streams that are counted now. */
    liveStreams: z.number().int(),
    /** True: the limit is reached, new publishers are refused. */
    isExhausted: z.boolean(),
    revision: settingsRevision,
  }),
});

export const updateUsageLimit = defineEndpoint({
  ...paths.updateUsageLimit,
  tag: 'Settings',
  summary:
    'Sets the hours of live streams per month; when they are used up new publishers are refused, running ones stay.',
  request: z.object({
    token: z.string().optional(),
    /** Null: no limit. */
    totalHours: z.number().positive().max(maxUsageHours).nullable(),
    /** Left out: the one before. */
    startDate: calendarDay.optional(),
    revision: expectedRevision,
  }),
  response: nullData,
});
