// Setting of the daily window for upgrades.
import { z } from 'zod';
import { defineSetting } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';

/** `HH:MM` in the server's time zone. */
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
    isOpen: z.boolean(),
    /** Time of the next opening, RFC 3339. While the window is open, the time of the last opening. */
    opensAt: z.string(),
    closesAt: z.string(),
    /** Clock of the server, RFC 3339 with offset, and its time zone. */
    serverTime: z.string(),
    timeZone: z.string(),
    liveStreams: z.number().int(),
  },
  sent: { start: timeOfDay, end: timeOfDay },
  change: (window) => changed('platform.window', window),
});
export const { query: queryUpgradeWindow, update: updateUpgradeWindow } = upgradeWindow;
