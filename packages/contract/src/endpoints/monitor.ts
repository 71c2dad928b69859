// Ours: what the dashboard asks. The same figures are pushed over the event stream (`event-stream.ts`).
import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { emptyRequest } from '../models/envelope.ts';
import { monitorEvent, monitorHistory, monitorRanges, monitorSnapshot } from '../models/monitor.ts';

export const queryMonitor = defineEndpoint({
  path: '/terraform/v1/mgmt/monitor/query',
  tag: 'Monitoring',
  summary: 'Figures of now, alarms, and the newest events, newest first.',
  access: 'credential',
  request: emptyRequest,
  response: z.object({ snapshot: monitorSnapshot, events: z.array(monitorEvent) }),
});

export const queryMonitorHistory = defineEndpoint({
  path: '/terraform/v1/mgmt/monitor/history',
  tag: 'Monitoring',
  summary: 'The figures of the last 5 minutes, hour, day or week, with what happened meanwhile.',
  access: 'credential',
  request: z.object({ token: z.string().optional(), range: z.enum(monitorRanges).default('5m') }),
  response: monitorHistory,
});
