import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxSourceBitrateKbps } from '../limits.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../models/settings-revision.ts';

const bitrateKbps = z.number().int().positive().max(maxSourceBitrateKbps);

export const queryLimits = defineEndpoint({
  path: '/terraform/v1/mgmt/limits/query',
  tag: 'Settings',
  summary: 'Highest bitrate of a virtual-live and of a camera source, kbit/s.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({ vlive: z.number().int(), camera: z.number().int(), revision: settingsRevision }),
});

export const updateLimits = defineEndpoint({
  path: '/terraform/v1/mgmt/limits/update',
  tag: 'Settings',
  summary: 'Sets both bitrate limits, kbit/s.',
  access: 'credential',
  request: z.object({
    token: z.string().optional(),
    vlive: bitrateKbps,
    camera: bitrateKbps,
    revision: expectedRevision,
  }),
  response: nullData,
});
