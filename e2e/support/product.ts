// Starts and ends the whole product like `npm start`, with a separate data folder and free ports.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { portsFileName } from '@srs-stack/process/data-folder.ts';
import { isAlive } from '../../bench/lib/process-figures.ts';
import { preload } from '../../scripts/test-run/product-preload.ts';
import { evidence } from './evidence.ts';
import { freePort } from './free-port.ts';
import { killProcessesOf } from './processes.ts';
import { refuseSecrets } from './secrets.ts';
import { until } from './until.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const main = join(checkout, 'packages/stack/src/main.ts');
/** Longest wait for a stop, milliseconds. The supervisor needs less time to stop its servers. */
const stopMs = 10_000;
const anyFreePorts = {
  MGMT_LISTEN: '0',
  HTTPS_LISTEN: '0',
  RTMP_LISTEN: '0',
  RTSP_LISTEN: '0',
  SRT_LISTEN: '0',
  RTC_LISTEN: '0',
  SRS_API_LISTEN: '127.0.0.1:0',
};

/** Adds free ports. The internal port of a cluster node must be known before the start. */
async function withFreePorts(environment: Environment): Promise<Environment> {
  const cluster = environment.CLUSTER_URL ? { CLUSTER_LISTEN: String(await freePort()) } : {};
  return { ...anyFreePorts, ...cluster, ...environment };
}

export interface Product {
  readonly dataDir: string;
  readonly ports: BoundPorts;
  /** Ports of a gateway. `ports` are the ports of gateway 0. */
  portsOf(gateway: number): BoundPorts;
  /** Address of the form `http://127.0.0.1:port`, without a trailing slash. */
  readonly url: string;
  /** RTMP address of a stream, such as `rtmpUrl('livestream?secret=x')`. */
  rtmpUrl(streamAndQuery: string): string;
  /** SRT address for publishing a stream, such as `srtUrl('live/camera', 'secret=x')`. */
  srtUrl(path: string, query: string): string;
  output(): string;
  /** Kills a server with SIGKILL. Resolves when the supervisor has detected the exit. */
  kill(server: 'gateway' | 'platform'): Promise<void>;
  /** Kills one of several gateways with SIGKILL. Resolves when the supervisor has detected the exit. */
  killGateway(gateway: number): Promise<void>;
  /** Kills the supervisor with SIGKILL. Its servers are not stopped. */
  killSupervisor(): Promise<void>;
  /** Number of servers of the first start that still run. */
  serversRunning(): number;
  /** Ends the product with a signal (default SIGTERM) and resolves with the exit code. The data folder stays. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  remove(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

/** A program and its arguments, such as `['npm', 'start']`. */
export type Command = readonly [program: string, ...args: string[]];

/**
 * Starts the product. Resolves after the first successful call, when the product has printed its banner. `command` is
 * an operator's command. By default, the supervisor is started as by `npm start`. Under `npm test`, the servers are
 * bundles of the sources (`scripts/test-run/product-bundles.ts`).
 */
export async function startProduct(environment: Environment = {}, command?: Command): Promise<Product> {
  const dataDir = environment.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'srs-stack-e2e-'));
  const run = runProduct({ ...(await withFreePorts(environment)), DATA_DIR: dataDir }, command);
  await run.waitFor(/is ready/);
  const servers = run.servers();
  const portsOf = (gateway: number) =>
    JSON.parse(readFileSync(join(dataDir, 'run', portsFileName(gateway)), 'utf8')) as BoundPorts;
  const ports = portsOf(0);
  return {
    dataDir,
    ports,
    portsOf,
    url: `http://127.0.0.1:${ports.http}`,
    rtmpUrl: (streamAndQuery) => `rtmp://127.0.0.1:${ports.rtmp}/live/${streamAndQuery}`,
    srtUrl: (path, query) =>
      `srt://127.0.0.1:${ports.srt}?streamid=${encodeURIComponent(`#!::r=${path},m=publish,${query}`)}`,
    output: run.output,
    kill: (server) => run.killServer(server),
    killGateway: (gateway) => run.killProgram(gateway === 0 ? 'gateway' : `gateway-${gateway}`, portsOf(gateway).pid),
    killSupervisor: () => run.killSupervisor(),
    serversRunning: () => servers.filter(isAlive).length,
    stop: (signal) => run.stop(signal),
    remove: async () => {
      // A command may exit without forwarding the signal. The servers then keep running and keep the output pipe open.
      await Promise.race([run.stop(), delay(stopMs, undefined, { ref: false })]);
      await killProcessesOf(dataDir, servers);
      await run.exited;
      rmSync(dataDir, { recursive: true, force: true });
      refuseSecrets(run.output());
    },
  };
}

/** Runs the product until it exits, for tests in which the start must fail. */
export async function startRefused(
  environment: Environment,
  command?: Command,
): Promise<{ exitCode: number | null; output: string }> {
  const run = runProduct(await withFreePorts(environment), command);
  const exitCode = await run.exited;
  return { exitCode, output: run.output() };
}

interface Run {
  readonly exited: Promise<number | null>;
  output(): string;
  /** Resolves when the output matches. Rejects with the output when the product exits first. */
  waitFor(pattern: RegExp): Promise<void>;
  servers(): number[];
  killServer(server: string): Promise<void>;
  /** @param name the supervisor's name of the program. */
  killProgram(name: string, pid: number): Promise<void>;
  killSupervisor(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

function runProduct(environment: Environment, command?: Command): Run {
  const [program, ...args] = command ?? [process.execPath, main];
  const child = spawn(program, args, {
    cwd: checkout,
    // The console is built before the tests. A build at each start would be slow, and would fail while sources are edited.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CONSOLE_BUILD: 'off',
      // Uses the compile cache of the test run, because the cache in a new data folder would be empty.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...(command ? {} : preload),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const lines = collectLines(child);
  const log = { name: 'product.log', content: () => lines.all.join('\n') };
  const forget = evidence.add(log);
  const exited = closed.finally(async () => {
    await evidence.keep(log);
    forget();
  });
  const killProgram = async (name: string, pid: number): Promise<void> => {
    const noticed = lines.waitFor(new RegExp(`"program":"${name}".*server ended, restarting`));
    process.kill(pid, 'SIGKILL');
    await noticed;
  };
  return {
    exited,
    output: () => lines.all.join('\n'),
    waitFor: (pattern) => Promise.race([lines.waitFor(pattern), exited.then(() => failed(pattern, lines.all))]),
    killServer: async (server) => killProgram(server, findServer(supervisorOf(environment.DATA_DIR!), server)),
    killProgram,
    servers: () => serversOf(supervisorOf(environment.DATA_DIR!)),
    killSupervisor: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

function collectLines(child: ChildProcess) {
  const all: string[] = [];
  const watchers = new Set<(line: string) => void>();
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface(stream).on('line', (line) => {
      all.push(line);
      for (const watcher of watchers) watcher(line);
    });
  }
  const waitFor = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const watcher = (line: string) => {
        if (!pattern.test(line)) return;
        watchers.delete(watcher);
        resolve();
      };
      watchers.add(watcher);
    });
  return { all, waitFor };
}

function failed(pattern: RegExp, lines: readonly string[]): never {
  throw new Error(`the product ended before it printed ${pattern}:\n${lines.join('\n')}`);
}

/** Process id of the supervisor, which a command may start indirectly. */
function supervisorOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'run/supervisor.pid'), 'utf8'));
}

/** Main file of a server in a checkout (`…/gateway/src/main.ts`) or in a package (`…/gateway.js`). */
const serverFile = /\/(gateway|platform)(?:\/src\/main\.ts|\.js)\0/;

/** Process ids of the servers. Further children of the supervisor, such as git, run only briefly. */
function serversOf(supervisorPid: number, server?: string): number[] {
  const children = readFileSync(`/proc/${supervisorPid}/task/${supervisorPid}/children`, 'utf8').trim().split(' ');
  return children.map(Number).filter((pid) => {
    const name = serverFile.exec(commandLineOf(pid))?.[1];
    return name !== undefined && (server === undefined || name === server);
  });
}

/** Command line of a process; each argument ends with a zero byte. Empty for a process that has exited. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function findServer(supervisorPid: number, server: string): number {
  const [pid] = serversOf(supervisorPid, server);
  if (!pid) throw new Error(`no ${server} among the children of ${supervisorPid}`);
  return pid;
}

/** Resolves when the product responds to calls again, for example after a server was killed. */
export function answersAgain(product: Product): Promise<unknown> {
  return until('the product responds', async () => {
    const response = await fetch(`${product.url}/terraform/v1/host/versions`).catch(() => undefined);
    return response?.ok;
  });
}

interface MediaServerClient {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly recv_bytes: number;
}

/** Clients of a gateway (publishers and players, at most 100), from the gateway's API. Rejects while the gateway is down. */
export async function mediaServerClients(product: Product, gateway = 0): Promise<readonly MediaServerClient[]> {
  const { srsApi } = gateway === 0 ? product.ports : product.portsOf(gateway);
  const response = await fetch(`http://127.0.0.1:${srsApi}/api/v1/clients/?count=100`);
  return ((await response.json()) as { clients: MediaServerClient[] }).clients;
}
