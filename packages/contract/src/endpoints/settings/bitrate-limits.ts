import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxSourceBitrateKbps } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

const bitrateKbps = z.number().int().positive().max(maxSourceBitrateKbps);

export const queryLimits = defineEndpoint({
  ...paths.queryLimits,
  tag: 'Settings',
  summary: 'Highest bitrate of a virtual-live and of a camera source, kbit/s.',
  request: emptyRequest,
  response: z.object({ vlive: z.number().int(), camera: z.number().int(), revision: settingsRevision }),
});

export const updateLimits = defineEndpoint({
  ...paths.updateLimits,
  tag: 'Settings',
  summary: 'Sets both bitrate limits, kbit/s.',
  request: z.object({
    token: z.string().optional(),
    vlive: bitrateKbps,
    camera: bitrateKbps,
    revision: expectedRevision,
  }),
  response: nullData,
});
