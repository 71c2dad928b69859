// Entry of `npm start`: checks preconditions, runs the selected release, prints the banner, and stops all servers on a signal.
import { rmSync } from 'node:fs';
import { availableParallelism, networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { drainFileName } from '@srs-stack/process/data-folder.ts';
import { claimDataFolder } from '@srs-stack/process/data-folder-claim.ts';
import { freeMemoryWhenIdle, thisProcess } from '@srs-stack/process/idle-memory.ts';
import { versionIn } from '@srs-stack/process/product-version.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { returnFreeMemory } from '@srs-stack/rtc/free-memory.ts';
import { bannerText, reachableAddresses } from './banner.ts';
import { ensureCompiledCode } from './compiled-code.ts';
import { ensureConsoleBuild } from './console-build.ts';
import { dataFolder, type Environment, loadEnvironment } from './environment.ts';
import { requireFreePorts } from './free-ports.ts';
import { gatewayCount, maxGateways } from './gateway-count.ts';
import { startLean } from './lean-start.ts';
import { listenHosts } from './listen-hosts.ts';
import { createLog, logFormat, prettyOutput } from './log-output.ts';
import { prepareDataFolder } from './preflight.ts';
import { productFiles } from './product-files.ts';
import { openProvenPrograms } from './proven-programs.ts';
import { findAbsentMediaServer, portsFilePath, waitUntilReady } from './readiness.ts';
import { ensureServerBundles } from './server-bundles.ts';
import { argumentsOf, createSupervisor, type Program } from './supervisor.ts';
import { ensurePrograms, ffmpeg } from './system-programs.ts';
import { exitCodeOf, handOverTo, reportReady } from './upgrade/hand-over.ts';
import { checkoutVariable, watchedVariable } from './upgrade/release-process.ts';
import { runReleases, type ServersEnd } from './upgrade/run-releases.ts';
import { openUpgradeRequests } from './upgrade/upgrade-requests.ts';

/** Folder of this code: the operator's checkout, or a release that an upgrade unpacked into the data folder. */
const folder = resolve(fileURLToPath(new URL('../../..', import.meta.url)));
const checkout = process.env[checkoutVariable] || folder;
/** Whether another supervisor started this release, monitors its start, and switches to the next release. */
const isWatched = process.env[watchedVariable] === '1' && process.send !== undefined;
// Option for a small young generation. Media is short-lived, so this keeps a gateway with a hundred publishers at about 150 MB
// (docs/decisions/viewer-delivery.md).
const youngGeneration = '--max-semi-space-size=4';
/**
 * Option for the heap growth after which a full GC runs, percent. With V8's default, a gateway with a hundred publishers runs a full GC
 * every second, which takes a fifth of its CPU time. The control plane would run a full GC per 18 MB of an upload
 * (docs/decisions/performance.md).
 */
const heapGrowth = '--heap-growing-percent=100';
/**
 * Option for the heap size of the first full GC after the start, MB. A connection burst of a thousand viewers grows the heap from 20 MB to
 * this size. With a lower value, the viewers would wait for the GC (docs/decisions/performance.md). An idle server also runs full GCs below
 * this size.
 */
const firstFullGcSize = '--initial-old-space-size=48';
/** Initial size of a gateway's table of open files, mainly for connections of viewers. */
const gatewayOpenFiles = 4_096;
/**
 * Nice value of the control plane, because media takes precedence. Otherwise a GC of the control plane would delay viewers who join
 * simultaneously (docs/decisions/event-loop.md).
 */
const controlPlaneNiceness = 3;
/**
 * Nice value of the gateways, if the user may set it. Other programs of the machine then delay media less. A gateway gets three times the
 * CPU share of a program with nice value 0 (docs/decisions/event-loop.md).
 */
const gatewayNiceness = -5;
/** Maximum number of parallel GC threads of V8, which is also Node's default. */
const maxGcThreads = 4;
/**
 * Whether the start builds the console and missing bundles of the servers. Developers set `CONSOLE_BUILD=off` when a development server
 * with hot reload serves the console.
 */
const buildsConsole = productFiles.hasConsoleSources && process.env.CONSOLE_BUILD !== 'off';
/** File in `run/` of the data folder: programs that earlier starts found usable (`proven-programs.ts`). */
const provenProgramsFile = 'programs.json';
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exits on a stop signal during the preparation, when no server is running yet. */
const endAtOnce = () => process.exit(0);
const say = (line: string) => console.log(line);

try {
  const dataDir = dataFolder(process.env, checkout);
  prepareDataFolder(dataDir);
  const servers = () => runServers(dataDir);
  if (isWatched) process.exit(exitCodeOf(await servers()));
  process.once('exit', claimDataFolder(dataDir));
  // Starting the server ends an earlier drain.
  rmSync(join(dataDir, 'run', drainFileName), { force: true });
  freeMemoryWhenIdle(thisProcess(returnFreeMemory));
  const handOver = (to: string) => handOverTo({ folder: to, dataDir, checkout });
  process.exit(await runReleases({ dataDir, folder, checkout, say, handOver, runServers: servers }));
} catch (error) {
  if (!(error instanceof StartRefusal)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function runServers(dataDir: string): Promise<ServersEnd> {
  for (const signal of stopSignals) process.on(signal, endAtOnce);
  const bundles = await prepare(dataDir);
  // A supervisor that is watched must not re-execute itself, because it would lose its IPC channel.
  if (!isWatched && productFiles.starter) startLean([productFiles.starter, import.meta.filename]);
  const environment = loadEnvironment(process.env, dataDir);
  const gateways = gatewayCount(environment, availableParallelism());
  if (gateways > 1) await requireFreePorts(environment);
  return supervise(dataDir, programsFor(gateways, bundles));
}

/**
 * Programs in the order in which they are stopped.
 * @param bundles preloaded module that loads the servers from bundles.
 */
function programsFor(gateways: number, bundles?: string): Program[] {
  const preloads = bundles ? ['--import', bundles, '--import', productFiles.sourceNames] : [];
  const gcThreadsOption = gcThreads(gateways, availableParallelism());
  const nodeOptions = [heapGrowth, firstFullGcSize, youngGeneration, gcThreadsOption, ...preloads];
  const gateway = (index: number): Program => ({
    name: index === 0 ? 'gateway' : `gateway-${index}`,
    main: productFiles.mainOf('gateway'),
    nodeOptions,
    openFiles: gatewayOpenFiles,
    niceness: gatewayNiceness,
    environment: { GATEWAYS: String(gateways), GATEWAY_INDEX: String(index) },
  });
  const platform = {
    name: 'platform',
    main: productFiles.mainOf('platform'),
    nodeOptions,
    niceness: controlPlaneNiceness,
  };
  return [...Array.from({ length: gateways }, (_, index) => gateway(index)), platform];
}

/**
 * Option that limits GC threads, so that processors remain for media. On two processors with Node's default of four threads, viewers who
 * join during a GC wait 30 to 50 ms (docs/decisions/performance.md).
 */
function gcThreads(gateways: number, processors: number): string {
  return `--v8-pool-size=${Math.min(maxGcThreads, Math.max(1, processors - gateways))}`;
}

/** @returns path of the preloaded module that loads the servers from bundles; undefined without bundles. */
async function prepare(dataDir: string): Promise<string | undefined> {
  const { NODE_COMPILE_CACHE: compiledCode = '' } = loadEnvironment(process.env, dataDir);
  for (let index = 0; index < maxGateways; index++) rmSync(portsFilePath(dataDir, index), { force: true });
  const [bundles] = await Promise.all([
    productFiles.hasConsoleSources ? ensureServers(compiledCode) : undefined,
    ensurePrograms([ffmpeg], {
      ...{ say, retryCommand: productFiles.startCommand },
      proven: openProvenPrograms(join(dataDir, 'run', provenProgramsFile)),
    }),
    buildsConsole && ensureConsoleBuild({ checkout: folder, say }),
  ]);
  return bundles;
}

/** Ensures that bundles of the servers exist. Without bundles, compiles the sources instead. */
async function ensureServers(compiledCode: string): Promise<string | undefined> {
  const bundles = await ensureServerBundles({ checkout: folder, makes: buildsConsole, say });
  if (!bundles) await ensureCompiledCode({ folder: compiledCode, servers: programsFor(1).map(argumentsOf) });
  return bundles;
}

async function supervise(dataDir: string, programs: readonly Program[]): Promise<ServersEnd> {
  const environment = () => loadEnvironment(process.env, dataDir);
  const gateways = programs.length - 1;
  const { LOG_LEVEL: level = 'info', ...initial } = environment();
  const format = logFormat(initial, process.stdout.isTTY);
  const log = await createLog(format, level);
  const terminal = format === 'pretty' ? await prettyOutput() : undefined;
  const stopping = new AbortController();
  const ended = Promise.withResolvers<ServersEnd>();

  const supervisor = createSupervisor({
    programs,
    environment: () => ({ ...environment(), LOG_FORMAT: 'json' }),
    consumeOutput: terminal && ((output) => output.pipe(terminal, { end: false })),
    onRestart: (program, how, delayMs) => log.warn({ program: program.name, how, delayMs }, 'server ended, restarting'),
    onRefused: (_program, exitCode) => stop({ kind: 'ended', exitCode }),
    onMessage: (program, message) => program.name === 'platform' && upgrades.handle(message),
  });
  const upgrades = openUpgradeRequests({
    dataDir,
    checkout,
    folder,
    log,
    onPrepared: () => stop({ kind: 'change', stoppedAtMs: Date.now() }),
  });
  let ending: ServersEnd | undefined;
  function stop(how: ServersEnd): void {
    // A stop signal takes precedence over a switch to another release. The next start tries that release.
    if (ending?.kind !== 'ended') ending = how;
    stopping.abort();
    if (how.kind === 'change') process.send?.({ type: 'stopping' });
    const end = () => {
      for (const signal of stopSignals) process.off(signal, stopForGood);
      ended.resolve(ending ?? how);
    };
    Promise.all([supervisor.stop(), upgrades.close()]).then(end, end);
  }
  const stopForGood = () => stop({ kind: 'ended', exitCode: 0 });
  for (const signal of stopSignals) process.off(signal, endAtOnce).on(signal, stopForGood);

  supervisor.start();
  const ports = await waitUntilReady(environment(), gateways, stopping.signal).catch(() => undefined);
  if (ports) {
    supervisor.markReady();
    const absentMediaServer = await findAbsentMediaServer(environment(), stopping.signal);
    const facts = { ...bannerFacts(dataDir, ports, environment()), gateways, absentMediaServer };
    if (environment().LOG_FORMAT === 'json') log.info(facts, 'ready');
    else say(bannerText(facts));
    const reported = reportReady({ dataDir, checkout, folder, environment: environment() });
    await reported.catch((error) => log.warn({ err: error }, 'state of the installed release could not be written'));
  }
  return ended.promise;
}

function bannerFacts(dataDir: string, ports: BoundPorts, environment: Environment) {
  return {
    version: versionIn(folder),
    ports,
    hosts: listenHosts(environment),
    dataDir,
    addresses: reachableAddresses(networkInterfaces()),
    passwordSet: Boolean(environment.MGMT_PASSWORD),
    setupTokenSet: Boolean(environment.SETUP_TOKEN),
    startedInMs: performance.now(),
  };
}
