import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../models/settings-revision.ts';

export const queryHighPerformanceHls = defineEndpoint({
  path: '/terraform/v1/mgmt/hphls/query',
  tag: 'Settings',
  summary: 'Whether HLS is delivered without session contexts, so that any cache can serve it.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({ noHlsCtx: z.boolean(), revision: settingsRevision }),
});

export const updateHighPerformanceHls = defineEndpoint({
  path: '/terraform/v1/mgmt/hphls/update',
  tag: 'Settings',
  summary: 'Switches high-performance HLS; fails and changes nothing while the media server is away.',
  access: 'credential',
  request: z.object({ token: z.string().optional(), noHlsCtx: z.boolean().default(false), revision: expectedRevision }),
  response: nullData,
});

export const queryLowLatencyHls = defineEndpoint({
  path: '/terraform/v1/mgmt/hlsll/query',
  tag: 'Settings',
  summary: 'Whether HLS uses the short segments of low-latency mode.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({ hlsLowLatency: z.boolean(), revision: settingsRevision }),
});

export const updateLowLatencyHls = defineEndpoint({
  path: '/terraform/v1/mgmt/hlsll/update',
  tag: 'Settings',
  summary: 'Switches low-latency HLS; fails and changes nothing while the media server is away.',
  access: 'credential',
  request: z.object({
    token: z.string().optional(),
    hlsLowLatency: z.boolean().default(false),
    revision: expectedRevision,
  }),
  response: nullData,
});
