// `/metrics`: metrics for Prometheus, generated per request from the newest sample.
import { metricsPath } from '@srs-stack/contract';
import type { FastifyInstance } from 'fastify';
import type { Monitor } from '../../monitor/monitor.ts';
import type { StreamCounters } from '../../streams/stream-counters.ts';
import type { Watching } from '../../watching/watching.ts';

const prometheusType = 'text/plain; version=0.0.4; charset=utf-8';

export interface MetricsPageServices {
  readonly monitor: Pick<Monitor, 'current' | 'eventCounts' | 'viewerTotals'>;
  readonly counters: Pick<StreamCounters, 'current'>;
  readonly watching: Pick<Watching, 'passwordGuesses'>;
  readonly version: string;
}

export function registerMetricsPage(app: FastifyInstance, services: MetricsPageServices): void {
  const { monitor, counters, watching, version } = services;
  app.route({
    method: ['GET', 'HEAD'],
    url: metricsPath,
    config: { access: 'metrics' },
    handler: async (_request, reply) => {
      const { prometheusMetrics } = await import('../../monitor/prometheus-metrics.ts');
      const sample = await monitor.current();
      const [events, viewers] = [monitor.eventCounts(), monitor.viewerTotals()];
      const guesses = watching.passwordGuesses();
      const text = prometheusMetrics({ sample, version, counters: counters.current(), events, viewers, guesses });
      return reply.header('content-type', prometheusType).send(text);
    },
  });
}
