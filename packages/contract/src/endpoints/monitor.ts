// Ours: what the dashboard asks. The same figures are pushed over the event stream (`event-stream.ts`).
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
  summary: 'Figures of now, alarms, and the newest events, newest first.',
  request: emptyRequest,
  response: z.object({ snapshot: monitorSnapshot, events: z.array(monitorEvent) }),
});

export const queryViewers = defineEndpoint({
  ...paths.queryViewers,
  tag: 'Monitoring',
  summary:
    'What viewers get, as their players report it: of each output over time, of all streams or of one; and the streams.',
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
  summary: 'The figures of the last 5 minutes, hour, day or week, with what happened meanwhile.',
  request: z.object({ token: z.string().optional(), range: z.enum(monitorRanges).default('5m') }),
  response: monitorHistory,
});
