// Open consoles: the cost of pushing metrics to them, and the time to draw the charts of a day.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorSeries } from '@srs-stack/contract';
import { openHistoryFile } from '../../packages/platform/src/monitor/history-file.ts';
import { apiSecret, httpUrl } from '../conf/product.ts';
import { publishRtmp } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const consoles = 50;
const windowLengthSeconds = 30;

const sse: Scenario = {
  id: 'sse',
  title: `${consoles} open consoles receive metrics over the event stream, one stream live`,
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

const dayMs = 24 * 3_600_000;
const sampleMs = 60_000;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Writes a day of metrics in the format of the server, and removes metrics of earlier scenarios. */
async function makeDayOfHistory(dataDir: string): Promise<void> {
  const nowMs = Date.now();
  await rm(join(dataDir, 'metrics'), { recursive: true, force: true });
  const history = await openHistoryFile(join(dataDir, 'metrics', 'history.bin'), nowMs, quiet);
  for (let atMs = nowMs - dayMs; atMs < nowMs; atMs += sampleMs) {
    const wave = 1 + Math.sin(atMs / 3_600_000);
    history.add(atMs, Object.fromEntries(monitorSeries.map((name, index) => [name, wave * (index + 1)])));
  }
  await history.close();
}

const chartDraws = 10;

const charts: Scenario = {
  id: 'charts',
  title: 'Dashboard in Chromium: from the click on "24 h" until the charts of a day are drawn',
  table: 'charts',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 30,
  suits: sse.suits,
  run: async (run, scale) => {
    await makeDayOfHistory(run.server.env?.DATA_DIR ?? '');
    await run.startServer();
    const args = ['--console', `${httpUrl}/mgmt/en`, '--secret', apiSecret, '--times', scaled(chartDraws, scale)];
    await run.measure('charts', run.tool('chart-render', args));
  },
};

export const sseScenarios = [sse, charts];
