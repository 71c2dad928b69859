// Compares starts of the checkout with starts of the package of `npm run pack`. Measures the CPU time of all processes
// until the first call succeeds, then the memory of the servers. Starts of both kinds alternate, so that other load
// affects both kinds equally.
//
//   npm run pack -- /tmp/pack && npm install --prefix /tmp/packed /tmp/pack/srs-stack-*.tgz
//   node bench/packed-start.ts /tmp/packed 7
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const [installed = '', count = '7'] = process.argv.slice(2);
/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;
/** Delay before memory is measured, milliseconds. Node collects the garbage of the start during this time. */
const settleMs = 3_000;
const freePorts = {
  MGMT_LISTEN: '0',
  HTTPS_LISTEN: '0',
  RTMP_LISTEN: '0',
  RTSP_LISTEN: '0',
  SRT_LISTEN: '0',
  RTC_LISTEN: '0',
};

const kinds = {
  sources: [join(checkout, 'packages/stack/src/start.mjs')],
  package: [join(installed, 'node_modules/srs-stack/bin/srs-stack.mjs')],
};

interface Cost {
  readonly readyMs: number;
  readonly cpuSeconds: number;
  readonly gatewayMb: number;
  readonly platformMb: number;
  readonly supervisorMb: number;
}

async function measure(args: readonly string[], dataDir: string): Promise<Cost> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      ...freePorts,
      SRS_API_LISTEN: '127.0.0.1:0',
      CONSOLE_BUILD: 'off',
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  const readyMs = performance.now() - startedAtMs;
  const supervisor = Number(readFileSync(join(dataDir, 'run/supervisor.pid'), 'utf8'));
  const servers = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ').map(Number);
  const cpuSeconds = [supervisor, ...servers].map(cpuSecondsOf).reduce((sum, each) => sum + each, 0);
  await delay(settleMs);
  const named = (name: string) =>
    servers.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name)) ?? 0;
  const [gatewayMb, platformMb] = [residentMb(named('gateway')), residentMb(named('platform'))];
  const cost = { readyMs, cpuSeconds, gatewayMb, platformMb, supervisorMb: residentMb(supervisor) };
  child.kill('SIGTERM');
  await once(child, 'exit');
  return cost;
}

async function ready(child: ChildProcess): Promise<void> {
  for await (const line of createInterface(child.stdout!)) if (line.includes('is ready')) break;
  child.stdout!.resume();
}

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const costs: Record<string, Cost[]> = { sources: [], package: [] };
const dataDirs = Object.fromEntries(
  Object.keys(kinds).map((kind) => [kind, mkdtempSync(join(tmpdir(), 'srs-stack-start-'))]),
);
// The first run of each kind fills the compile cache and is not counted.
for (let run = 0; run <= Number(count); run++) {
  for (const [kind, args] of Object.entries(kinds)) {
    const cost = await measure(args, dataDirs[kind]!);
    if (run > 0) costs[kind]!.push(cost);
    else
      console.log(
        `${kind}, nothing compiled yet: ${cost.readyMs.toFixed(0)} ms, ${cost.cpuSeconds.toFixed(2)} s of CPU`,
      );
  }
}
for (const dataDir of Object.values(dataDirs)) rmSync(dataDir, { recursive: true, force: true });
for (const [kind, all] of Object.entries(costs)) {
  const middle = (field: keyof Cost) => median(all.map((cost) => cost[field]));
  console.log(
    `${kind}: ${middle('readyMs').toFixed(0)} ms, ${middle('cpuSeconds').toFixed(2)} s of CPU; gateway ${middle('gatewayMb').toFixed(0)} MB, ` +
      `platform ${middle('platformMb').toFixed(0)} MB, supervisor ${middle('supervisorMb').toFixed(0)} MB`,
  );
}
