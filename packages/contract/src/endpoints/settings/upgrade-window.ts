import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

/** Time of day of the server's clock, `HH:MM`. */
const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

export const queryUpgradeWindow = defineEndpoint({
  ...paths.queryUpgradeWindow,
  tag: 'System',
  summary: 'When the server may be upgraded, and whether that is now; `npm run may-upgrade` obeys it.',
  request: emptyRequest,
  response: z.object({
    start: timeOfDay,
    end: timeOfDay,
    /** True when the window is open now. */
    isOpen: z.boolean(),
    /** When it opens next, or opened, RFC 3339. */
    opensAt: z.string(),
    closesAt: z.string(),
    /** Clock of the server, RFC 3339 with its offset, and its time zone. */
    serverTime: z.string(),
    timeZone: z.string(),
    /** Streams an upgrade would interrupt now. */
    liveStreams: z.number().int(),
    revision: settingsRevision,
  }),
});

export const updateUpgradeWindow = defineEndpoint({
  ...paths.updateUpgradeWindow,
  tag: 'System',
  summary: 'Sets the daily window, at least 3 hours long; an end before the start is on the next day.',
  request: z.object({ token: z.string().optional(), start: timeOfDay, end: timeOfDay, revision: expectedRevision }),
  response: nullData,
});
