// Scenarios of this product only: the start of an installation, idle memory of all processes, the API under load, the console.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ports } from '../conf/ports.ts';
import { apiSecret, checkout, httpUrl } from '../conf/product.ts';
import { stopTree, Tool } from '../lib/child-process.ts';
import { untilPorts } from '../lib/open-ports.ts';
import { isAlive } from '../lib/process-figures.ts';
import { untilAnswered } from '../lib/product-api.ts';
import { quantiles } from '../lib/quantiles.ts';
import type { ScenarioRun } from '../lib/scenario-run.ts';
import { publishRtmp, streamKbps } from './http-flv.ts';
import { isMergeVariant, type Scenario, scaled, windowSeconds } from './scenario.ts';

const starts = 5;
const startTimeoutMs = 20_000;
/** Timeout of the first start, milliseconds. This start builds the console if its sources changed. */
const buildTimeoutMs = 180_000;
const idleMs = 15_000;
const apiConnections = 32;
const apiViewers = 500;
const consoleLogins = 5;
/** Number of visits. With an odd number, the median is one of the visits. */
const watchVisits = 9;
const portsFreeTimeoutMs = 10_000;

const restarts = 5;
/** Pause between two kills, milliseconds. The server runs normally during this time. */
const restMs = 3_000;
const restartTimeoutMs = 20_000;

const suits: Scenario['suits'] = (server) => server.isProduct && !isMergeVariant(server);
const suitsCalls: Scenario['suits'] = (server) => server.answersCalls === true && !isMergeVariant(server);

/** Milliseconds from `npm start` to the first successful call. */
async function timeOneStart(run: ScenarioRun, timeoutMs = startTimeoutMs): Promise<number> {
  await untilPorts(run.server, 'free', portsFreeTimeoutMs);
  const { CONSOLE_BUILD: _off, ...env } = run.server.env ?? {};
  const startedAt = performance.now();
  const log = join(run.folder, 'npm-start.log');
  const npm = new Tool({ command: 'npm', args: startArguments(run), log, env });
  try {
    await untilAnswered(timeoutMs, npm.ended);
    return performance.now() - startedAt;
  } finally {
    await stopTree(npm.pid);
  }
}

function startArguments({ server }: ScenarioRun): string[] {
  if (server.isProduct) return ['start', '--silent', '--prefix', checkout];
  return ['run', 'bare', '--silent', '--prefix', join(checkout, 'bench'), '--', String(ports.http)];
}

const startUp: Scenario = {
  id: 'startup',
  title: '`npm start` (installed, console built) to the first successful call',
  table: 'startup',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 20,
  suits: suitsCalls,
  run: async (run, scale) => {
    const count = scaled(starts, scale);
    run.record.facts = { starts: count };
    const warmUp = await timeOneStart(run, buildTimeoutMs);
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) times.push(await timeOneStart(run));
    run.record.tools.startup = { warmUp, ...quantiles(times) };
  },
};

const restart: Scenario = {
  id: 'restart',
  title: 'Control plane killed: time without responses to calls',
  table: 'restart',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 30,
  suits,
  run: async (run, scale) => {
    const count = scaled(restarts, scale);
    run.record.facts = { kills: count };
    await run.startServer();
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      await delay(restMs);
      times.push(await timeOneRestart(run));
    }
    run.record.tools.restart = quantiles(times);
  },
};

/** Milliseconds from a SIGKILL of the control plane to the next successful call. */
async function timeOneRestart(run: ScenarioRun): Promise<number> {
  const platform = run.processes().find(({ main }) => main.endsWith('platform/src/main.ts'));
  if (!platform) throw new Error('the control plane is not running');
  const killedAt = performance.now();
  process.kill(platform.pid, 'SIGKILL');
  // A killed process may respond until it has exited.
  while (isAlive(platform.pid)) await delay(1);
  await untilAnswered(restartTimeoutMs);
  return performance.now() - killedAt;
}

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
  suits: suitsCalls,
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
    await run.measure('api', callLoad(run, 'mgmt/status', seconds));
    await run.noteResult('viewers', viewers);
    await run.noteResult('publisher', publisher, 'stop');
  },
};

function callLoad(run: ScenarioRun, call: string, seconds: number): Tool {
  const url = `${httpUrl}/terraform/v1/${call}`;
  return run.program('apiload', ['-c', apiConnections, '-t', seconds, '-a', apiSecret, url]);
}

const calls: Scenario = {
  id: 'calls',
  title: `Calls \`status\` and \`secret/query\`, ${apiConnections} connections`,
  table: 'calls',
  isQuick: true,
  rounds: 2,
  estimatedSeconds: 20,
  suits: suitsCalls,
  run: async (run, scale) => {
    const seconds = windowSeconds(6, scale);
    run.record.facts = { connections: apiConnections };
    await run.startServer();
    await run.measure('api', callLoad(run, 'mgmt/status', seconds));
    await run.noteResult('secret', callLoad(run, 'hooks/srs/secret/query', seconds));
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

const watchPage: Scenario = {
  id: 'watch-page',
  title: 'Watch page in Chromium at a quarter of the CPU: from opening it to the first frame',
  table: 'watch-page',
  isQuick: true,
  rounds: 1,
  estimatedSeconds: 45,
  suits,
  run: async (run, scale) => {
    await run.startServer();
    const page = run
      .address(run.server.flv)
      .replace(/\.flv$/, '')
      .replace(/(:\d+)\//, '$1/watch/');
    const args = ['--page', page, '--publish', run.address(run.server.rtmp), '--times', scaled(watchVisits, scale)];
    await run.measure('watch', run.tool('watch-page', args));
  },
};

export const productScenarios = [startUp, restart, idle, calls, api, consolePages, watchPage];
