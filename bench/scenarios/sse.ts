// Open consoles: what it costs to push figures to them.
import { apiSecret, httpUrl } from '../conf/product.ts';
import { publishRtmp } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const consoles = 50;
const windowLengthSeconds = 30;

const sse: Scenario = {
  id: 'sse',
  title: `${consoles} open consoles are pushed figures over the event stream, one stream live`,
  table: 'sse',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 45,
  suits: (server) => server.isProduct && !isMergeVariant(server),
  run: async (run, scale) => {
    const count = scaled(consoles, scale);
    run.record.facts = { consoles: count };
    await run.startServer();
    const publisher = await publishRtmp(run);
    const readers = run.tool('event-readers', [
      ...['--url', `${httpUrl}/terraform/v1/mgmt/monitor/events`, '--secret', apiSecret],
      ...['--count', count, '--seconds', windowSeconds(windowLengthSeconds, scale)],
    ]);
    await run.untilReady(readers);
    await run.measure('sse', readers);
    await run.noteResult('publisher', publisher, 'stop');
  },
};

export const sseScenarios = [sse];
