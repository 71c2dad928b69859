import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest, nullData } from '../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../models/settings-revision.ts';
import { paths } from '../paths.ts';

export const queryHighPerformanceHls = defineEndpoint({
  ...paths.queryHighPerformanceHls,
  tag: 'Settings',
  summary: 'Whether HLS is delivered without session contexts, so that any cache can serve it.',
  request: emptyRequest,
  response: z.object({ noHlsCtx: z.boolean(), revision: settingsRevision }),
});

export const updateHighPerformanceHls = defineEndpoint({
  ...paths.updateHighPerformanceHls,
  tag: 'Settings',
  summary: 'Switches high-performance HLS; fails and changes nothing while the media server is away.',
  request: z.object({ token: z.string().optional(), noHlsCtx: z.boolean().default(false), revision: expectedRevision }),
  response: nullData,
});

export const queryLowLatencyHls = defineEndpoint({
  ...paths.queryLowLatencyHls,
  tag: 'Settings',
  summary: 'Whether HLS uses the short segments of low-latency mode.',
  request: emptyRequest,
  response: z.object({ hlsLowLatency: z.boolean(), revision: settingsRevision }),
});

export const updateLowLatencyHls = defineEndpoint({
  ...paths.updateLowLatencyHls,
  tag: 'Settings',
  summary: 'Switches low-latency HLS; fails and changes nothing while the media server is away.',
  request: z.object({
    token: z.string().optional(),
    hlsLowLatency: z.boolean().default(false),
    revision: expectedRevision,
  }),
  response: nullData,
});
