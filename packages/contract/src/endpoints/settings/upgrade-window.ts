// The daily time in which the server may be upgraded.
import { z } from 'zod';
import { defineSetting } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';

/** Time of day by the clock of the server, `HH:MM`. */
const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

export const upgradeWindow = defineSetting({
  tag: 'System',
  query: {
    ...paths.queryUpgradeWindow,
    summary: 'Returns the upgrade window and whether it is open now; `npm run may-upgrade` checks the same window.',
  },
  update: {
    ...paths.updateUpgradeWindow,
    summary: 'Sets the daily window, at least 3 hours long; an end before the start means the next day.',
  },
  key: 'upgrade-window',
  stored: { start: z.string(), end: z.string() },
  initial: { start: '23:00', end: '05:00' },
  facts: {
    /** Whether the window is open now. */
    isOpen: z.boolean(),
    /** When the window opens next, or has opened if it is open, RFC 3339. */
    opensAt: z.string(),
    closesAt: z.string(),
    /** Clock of the server, RFC 3339 with its offset, and its time zone. */
    serverTime: z.string(),
    timeZone: z.string(),
    /** Streams that an upgrade would interrupt now. */
    liveStreams: z.number().int(),
  },
  sent: { start: timeOfDay, end: timeOfDay },
  change: (window) => changed('platform.window', window),
});
export const { query: queryUpgradeWindow, update: updateUpgradeWindow } = upgradeWindow;
