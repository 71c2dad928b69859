// Entry of `npm start`: preflight, start gateway and platform, print the banner, stop both when told to.
import { readFileSync, rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { bannerText, reachableAddresses } from './banner.ts';
import { ensureConsoleBuild } from './console-build.ts';
import { dataFolder, type Environment, loadEnvironment } from './environment.ts';
import { createLog, logFormat, prettyOutput } from './log-output.ts';
import { claimDataFolder, prepareDataFolder } from './preflight.ts';
import { portsFilePath, waitUntilReady } from './readiness.ts';
import { createSupervisor } from './supervisor.ts';
import { ensurePrograms, ffmpeg } from './system-programs.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const programs = ['gateway', 'platform'].map((name) => ({
  name,
  main: join(checkout, 'packages', name, 'src/main.ts'),
  // Media passes through quickly: a small young generation keeps a hundred publishers near 150 MB (docs/decisions/viewer-delivery.md).
  nodeOptions: ['--max-semi-space-size=4'],
}));
const say = (line: string) => console.log(line);

try {
  const dataDir = dataFolder(process.env, checkout);
  await prepare(dataDir);
  await supervise(dataDir);
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function prepare(dataDir: string): Promise<void> {
  prepareDataFolder(dataDir);
  process.once('exit', claimDataFolder(dataDir));
  rmSync(portsFilePath(dataDir), { force: true });
  await Promise.all([
    ensurePrograms([ffmpeg], { say, retryCommand: 'npm start' }),
    // Developers who serve the console with hot reload switch its build off.
    process.env.CONSOLE_BUILD === 'off' || ensureConsoleBuild({ checkout, say }),
  ]);
}

async function supervise(dataDir: string): Promise<void> {
  const environment = () => loadEnvironment(process.env, dataDir);
  const { LOG_LEVEL: level = 'info', ...initial } = environment();
  const format = logFormat(initial, process.stdout.isTTY);
  const log = createLog(format, level);
  const terminal = format === 'pretty' ? prettyOutput() : undefined;
  const stopping = new AbortController();

  const supervisor = createSupervisor({
    programs,
    environment: () => ({ ...environment(), LOG_FORMAT: 'json' }),
    consumeOutput: terminal && ((output) => output.pipe(terminal, { end: false })),
    onRestart: (program, how, delayMs) => log.warn({ program: program.name, how, delayMs }, 'server ended, restarting'),
    onRefused: (_program, exitCode) => stop(exitCode),
  });
  function stop(exitCode: number): void {
    stopping.abort();
    const end = () => process.exit(exitCode);
    supervisor.stop().then(end, end);
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(0));

  supervisor.start();
  const ports = await waitUntilReady(environment(), stopping.signal).catch(() => undefined);
  if (!ports) return;
  supervisor.markReady();
  const facts = bannerFacts(dataDir, ports, environment());
  if (environment().LOG_FORMAT === 'json') log.info(facts, 'ready');
  else say(bannerText(facts));
}

function bannerFacts(dataDir: string, ports: BoundPorts, environment: Environment) {
  return {
    version: (JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }).version,
    ports,
    dataDir,
    addresses: reachableAddresses(networkInterfaces()),
    passwordSet: Boolean(environment.MGMT_PASSWORD),
    setupTokenSet: Boolean(environment.SETUP_TOKEN),
    startedInMs: performance.now(),
  };
}
