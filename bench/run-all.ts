// Runs the whole comparison: every scenario on every server in turn, results as JSON, tables as Markdown.
//
//   node bench/run-all.ts                     all but long scenarios; noisy ones run twice; less than 40 minutes
//   node bench/run-all.ts --quick             a selection; less than 5 minutes
//   node bench/run-all.ts --long              also long scenarios, such as five minutes of SRT loss
//   node bench/run-all.ts --only fan1000,lat1 --servers srs-stack,node-media-server --rounds 3
//   node bench/run-all.ts --busy 0.3          with a loop that uses 0.3 of a processor
//   node bench/run-all.ts --publish           stores the results as bench/results/published.json and updates README.md
import { mkdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Server, serversUnderTest } from './conf/servers.ts';
import { writeSrsConf } from './conf/srs-conf.ts';
import { buildTools } from './lib/build-tools.ts';
import { stopRemembered } from './lib/child-process.ts';
import { type RunRecord, ScenarioRun } from './lib/scenario-run.ts';
import { prepareProduct } from './prepare-product.ts';
import { renderReadme } from './render.ts';
import { goalsTable } from './report/goals.ts';
import { metrics } from './report/metrics.ts';
import { describeMachine, publishedResults, type Results, writeResults } from './report/results-file.ts';
import { scenarioTables } from './report/tables.ts';
import { scenarios } from './scenarios/all.ts';
import type { Scale, Scenario } from './scenarios/scenario.ts';

const fullMinutes = 40;
const quickMinutes = 5;
const quickWindowSeconds = 4;
/** Time for start, publish, ramp and stop, which is added to a shortened window. */
const shortRunOverheadSeconds = 8;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
    only: { type: 'string' },
    servers: { type: 'string' },
    rounds: { type: 'string' },
    /** Share of a processor that a busy loop uses during every scenario, to simulate other work. */
    busy: { type: 'string', default: '0' },
    /** Factor for the numbers of viewers and publishers; small values test the tools quickly. */
    scale: { type: 'string', default: '1' },
    /** Longest measuring window, seconds. */
    seconds: { type: 'string' },
    /** Time limit of the whole run. Scenarios that would exceed the limit are skipped. */
    minutes: { type: 'string' },
    out: { type: 'string', default: join(tmpdir(), 'srs-stack-bench') },
  },
});

const folder = resolve(values.out);
const budgetMinutes = Number(values.minutes ?? (values.quick ? quickMinutes : fullMinutes));
const scale: Scale = {
  load: Number(values.scale),
  mostSeconds: Number(values.seconds ?? (values.quick ? quickWindowSeconds : 600)),
};

function named<T>(list: readonly T[], names: string | undefined, nameOf: (item: T) => string): T[] | undefined {
  return names?.split(',').map((name) => {
    const found = list.find((item) => nameOf(item) === name);
    if (!found) throw new Error(`unknown: ${name}; known: ${list.map(nameOf).join(', ')}`);
    return found;
  });
}

function chooseScenarios(): Scenario[] {
  const chosen = named(scenarios, values.only, ({ id }) => id);
  return chosen ?? scenarios.filter(({ isQuick, isLong }) => (values.quick ? isQuick : values.long || !isLong));
}

/**
 * Order per scenario: servers A B C, then A B C again, each time newly started. Slow changes of the machine then affect
 * all servers equally.
 */
function planRuns(chosen: readonly Scenario[], servers: readonly Server[]) {
  return chosen
    .flatMap((scenario) => {
      const rounds = Number(values.rounds ?? (values.quick ? 1 : scenario.rounds));
      const suited = servers.filter(
        (server) => scenario.suits(server) && (server.tables?.includes(scenario.table) ?? true),
      );
      return Array.from({ length: rounds }, (_, index) =>
        suited.map((server) => ({ scenario, server, round: index + 1 })),
      );
    })
    .flat();
}

function secondsOf({ estimatedSeconds }: Scenario): number {
  return Math.min(estimatedSeconds, scale.mostSeconds + shortRunOverheadSeconds);
}

const busy = Number(values.busy);
const startedAt = new Date();
const runs: RunRecord[] = [];
const leftOut: string[] = [];
const elapsedMinutes = (): number => (Date.now() - startedAt.getTime()) / 60_000;

function results(servers: readonly Server[]): Results {
  return {
    startedAt: startedAt.toISOString(),
    minutes: elapsedMinutes(),
    settings: {
      scale: scale.load,
      quick: values.quick,
      ...(values.seconds && { seconds: scale.mostSeconds }),
      ...(busy && { busy }),
    },
    machine: describeMachine(),
    servers: servers
      .filter(({ name }) => runs.some((run) => run.server === name))
      .map(({ name, title }) => ({ name, title })),
    leftOut,
    runs,
  };
}

let isInterrupted = false;

async function runOne(scenario: Scenario, server: Server, round: number): Promise<RunRecord> {
  const run = new ScenarioRun(server, scenario.id, round, { run: folder });
  if (busy > 0) run.tool('busy', [busy]);
  try {
    await scenario.run(run, scale);
  } catch (error) {
    run.record.error = (error as Error).message;
  } finally {
    await run.end();
  }
  return run.record;
}

function describe(record: RunRecord): string {
  const shown = ['cpuMedia', 'latencyP50', 'latencyP99', 'whepP99', 'srtToFlvP99', 'apiRate', 'otherCpu'] as const;
  const figures = shown.flatMap((name) => {
    const value = metrics[name].value(record);
    return value === undefined ? [] : `${name} ${value.toFixed(metrics[name].digits)}`;
  });
  const loop = record.loop
    ? [`event loop delay p99.9 ${record.loop.p999Ms.toFixed(0)} ms, max ${record.loop.maxMs.toFixed(0)} ms`]
    : [];
  return record.error ?? [...figures, ...loop].join(', ');
}

async function main(): Promise<void> {
  const all = serversUnderTest(folder);
  const servers = named(all, values.servers, ({ name }) => name) ?? all.filter(({ isOnlyNamed }) => !isOnlyNamed);
  const plan = planRuns(chooseScenarios(), servers);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildTools(folder);
  writeSrsConf(folder);
  if (plan.some(({ server }) => server.isProduct))
    await prepareProduct(join(folder, 'product'), join(folder, 'prepare.log'));
  const file = join(folder, 'results.json');
  const load = loadavg().map((value) => value.toFixed(2));
  console.error(
    `${plan.length} runs, at most ${budgetMinutes} minutes; load average ${load.join(' ')}; raw results in ${file}`,
  );

  for (const { scenario, server, round } of plan) {
    if (isInterrupted) return;
    const label = `${scenario.id} ${server.name} ${round}`;
    if (elapsedMinutes() + secondsOf(scenario) / 60 > budgetMinutes) {
      leftOut.push(label);
      continue;
    }
    const record = await runOne(scenario, server, round);
    runs.push(record);
    writeResults(file, results(servers));
    console.error(`${new Date().toISOString().slice(11, 19)} ${label}: ${describe(record)}`);
  }

  const final = results(servers);
  writeResults(file, final);
  // Goals are valid only for the full load.
  if (scale.load === 1) console.log(`${goalsTable(final)}\n`);
  console.log(scenarioTables(final));
  if (values.publish) {
    if (scale.load !== 1) throw new Error('--publish requires a run at full load');
    writeResults(publishedResults, final);
    renderReadme(final);
  }
}

// Ctrl-C must not leave servers behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true;
    void stopRemembered().then(() => process.exit(1));
  });
}

await main();
