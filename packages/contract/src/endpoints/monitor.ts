// Calls of the dashboard. The event stream (`event-stream.ts`) pushes the snapshot and the events of `queryMonitor`.
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { maxNameLength } from '../limits.ts';
import { emptyRequest } from '../models/envelope.ts';
import { monitorEvent, monitorHistory, monitorSnapshot } from '../models/monitor.ts';
import { viewersHistory } from '../models/viewers.ts';
import { paths } from '../paths.ts';
import { monitorRanges } from '../values/monitor.ts';

export const queryMonitor = defineEndpoint({
  ...paths.queryMonitor,
  tag: 'Monitoring',
  summary: 'Returns current metrics, alarms and the newest events, newest first.',
  request: emptyRequest,
  response: z.object({ snapshot: monitorSnapshot, events: z.array(monitorEvent) }),
});

export const queryViewers = defineEndpoint({
  ...paths.queryViewers,
  tag: 'Monitoring',
  summary: 'Returns the playback quality that players report, by output protocol over time and by stream.',
  request: z.object({
    token: z.string().optional(),
    range: z.enum(monitorRanges).default('1h'),
    app: z.string().max(maxNameLength).optional(),
    stream: z.string().max(maxNameLength).optional(),
  }),
  response: viewersHistory,
});

export const queryMonitorHistory = defineEndpoint({
  ...paths.queryMonitorHistory,
  tag: 'Monitoring',
  summary: 'Returns metrics and events of the last 5 minutes, hour, day or week.',
  request: z.object({ token: z.string().optional(), range: z.enum(monitorRanges).default('5m') }),
  response: monitorHistory,
});
