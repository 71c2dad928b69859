// What only this product has: the start of an installation, idle memory of all processes, the API under load, the console.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiSecret, checkout, httpUrl } from '../conf/product.ts';
import { stopTree, Tool } from '../lib/child-process.ts';
import { untilPorts } from '../lib/open-ports.ts';
import { untilAnswered } from '../lib/product-api.ts';
import { quantiles } from '../lib/quantiles.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const starts = 5;
const startTimeoutMs = 20_000;
/** The first start builds the console when its sources changed. */
const buildTimeoutMs = 180_000;
const idleMs = 15_000;
const apiConnections = 32;
const apiViewers = 500;
const consoleLogins = 5;
const portsFreeTimeoutMs = 10_000;

const suits: Scenario['suits'] = (server) => server.isProduct && !isMergeVariant(server);

/** Milliseconds from `npm start` to the first answered call. */
async function timeOneStart(run: ScenarioRun, timeoutMs = startTimeoutMs): Promise<number> {
  await untilPorts(run.server, 'free', portsFreeTimeoutMs);
  const { CONSOLE_BUILD: _off, ...env } = run.server.env ?? {};
  const startedAt = performance.now();
  const log = join(env.DATA_DIR ?? '', '..', 'npm-start.log');
  const npm = new Tool({ command: 'npm', args: ['start', '--silent', '--prefix', checkout], log, env });
  try {
    await untilAnswered(timeoutMs, npm.ended);
    return performance.now() - startedAt;
  } finally {
    await stopTree(npm.pid);
  }
}

const startUp: Scenario = {
  id: 'startup',
  title: '`npm start` (installed, console built) to the first answered call',
  table: 'startup',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 20,
  suits,
  run: async (run, scale) => {
    const count = scaled(starts, scale);
    run.record.facts = { starts: count };
    const warmUp = await timeOneStart(run, buildTimeoutMs);
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) times.push(await timeOneStart(run));
    run.record.tools.startup = { warmUp, ...quantiles(times) };
  },
};

const idle: Scenario = {
  id: 'idle',
  title: `Memory of all processes, idle for ${idleMs / 1000} s`,
  table: 'idle',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 20,
  suits,
  run: async (run, scale) => {
    await run.startServer();
    await run.measureFor(Math.min(idleMs, scale.mostSeconds * 1000));
    run.record.tools.processes = run.processes();
  },
};

const api: Scenario = {
  id: 'api',
  title: `API \`status\`, ${apiConnections} connections, while ${apiViewers} viewers play`,
  table: 'api',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 28,
  suits,
  run: async (run, scale) => {
    const viewerCount = scaled(apiViewers, scale);
    const seconds = windowSeconds(10, scale);
    run.record.facts = { viewers: viewerCount, connections: apiConnections, kbps: streamKbps };
    await run.startServer();
    const publisher = await publishRtmp(run);
    const args = ['-c', viewerCount, '-k', 10, '-r', 200, '-s', 1, '-t', seconds + 4];
    const viewers = run.program('flvload', [...args, run.address(run.server.flv)]);
    await viewers.line('WINDOW_START');
    await delay(1_000);
    const call = `${httpUrl}/terraform/v1/mgmt/status`;
    await run.measure('api', run.program('apiload', ['-c', apiConnections, '-t', seconds, '-a', apiSecret, call]));
    await run.noteResult('viewers', viewers);
    await run.noteResult('publisher', publisher, 'stop');
  },
};

const consolePages: Scenario = {
  id: 'console',
  title: 'Console in Chromium: login page at a quarter of the CPU, then every tab opened once',
  table: 'console',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 90,
  suits,
  run: async (run, scale) => {
    await run.startServer();
    const times = scaled(consoleLogins, scale);
    const pages = run.tool('console-pages', [
      '--console',
      `${httpUrl}/mgmt/en`,
      '--secret',
      apiSecret,
      '--times',
      times,
    ]);
    await run.measure('console', pages);
  },
};

export const productScenarios = [startUp, idle, api, consolePages];
