// Maximum bitrate of remote and uploaded sources, kbit/s.
import { z } from 'zod';
import { defaultSourceBitrateKbps } from '../../constants.ts';
import { maxSourceBitrateKbps } from '../../limits.ts';
import { defineSetting } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { changed } from '../../setting-changes.ts';

const bitrateKbps = z.number().int().positive().max(maxSourceBitrateKbps);

export const bitrateLimits = defineSetting({
  tag: 'Settings',
  query: { ...paths.queryLimits, summary: 'Returns the bitrate limits of virtual-live and camera sources, kbit/s.' },
  update: { ...paths.updateLimits, summary: 'Sets the bitrate limits of virtual-live and camera sources, kbit/s.' },
  key: 'source-limits',
  stored: { vlive: z.number().int(), camera: z.number().int() },
  initial: { vlive: defaultSourceBitrateKbps, camera: defaultSourceBitrateKbps },
  sent: { vlive: bitrateKbps, camera: bitrateKbps },
  change: (limits) => changed('limits.bitrate', limits),
});
export const { query: queryLimits, update: updateLimits } = bitrateLimits;
