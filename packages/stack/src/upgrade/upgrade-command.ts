// Entry of `npm run upgrade [-- stable|development] [-- --check]`, which shows the newest release and its changes, and upgrades with
// progress. A running server executes the upgrade. Without a running server, this command prepares the release, and the next start tries
// it.

import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endpoints, type ReleaseChannel, type ResponseOf, releaseChannels } from '@srs-stack/contract';
import { type Call, logIn, NotRunning } from '../control-plane-call.ts';
import { dataFolder, type Environment, loadEnvironment } from '../environment.ts';
import { inspectInstallation } from './installation.ts';
import { releaseFolders } from './release-folders.ts';
import { checkoutVariable } from './release-process.ts';
import { changeReleaseState } from './release-state.ts';
import { install, look, readFound } from './upgrade-worker.ts';

type Facts = ResponseOf<typeof endpoints.queryUpgrade>;

const folder = resolve(fileURLToPath(new URL('../../../..', import.meta.url)));
const askEveryMs = 500;
/** Timeout for the first response of the server after the restart began, milliseconds. */
const backWithinMs = 180_000;
/** Timeout for the start of the upgrade, milliseconds. If the upgrade does not start in time, the worker has exited without a report. */
const beginsWithinMs = 60_000;

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const environment = loadEnvironment(process.env, dataFolder(process.env, folder));
try {
  const wanted = channelOf(positionals);
  const call = await logIn(environment).catch((error) => {
    if (error instanceof NotRunning) return undefined;
    throw error;
  });
  await (call ? upgradeRunning(call, wanted) : upgradeStopped(environment, wanted ?? 'stable'));
} catch (error) {
  console.error(`Not upgraded: ${(error as Error).message}.`);
  process.exit(1);
}

function channelOf([name, ...more]: readonly string[]): ReleaseChannel | undefined {
  const channel = releaseChannels.find((each) => each === name);
  if (more.length > 0 || (name !== undefined && !channel))
    throw new Error('the channel must be "stable" or "development"');
  return channel;
}

async function upgradeRunning(call: Call, wanted: ReleaseChannel | undefined): Promise<void> {
  // A server that has just started needs time to inspect its installation.
  await untilIs(call, ({ installation }) => installation !== null);
  await call(endpoints.lookForReleases, {});
  const facts = await untilIs(call, ({ isLooking }) => !isLooking);
  const target = choose(facts, wanted ?? facts.channel);
  if (!target || values.check) return;
  const { length } = facts.liveStreams;
  if (length > 0)
    console.log(`The new release interrupts ${length} live stream${length === 1 ? '' : 's'} when it starts.`);
  await call(endpoints.startUpgrade, { channel: target.channel, commit: target.commit });
  await followUpgrade(call, target.commit, facts.result?.at);
}

/** Prints each step once. During the restart, the server is briefly unavailable. */
async function followUpgrade(call: Call, commit: string, before: string | undefined): Promise<void> {
  let step = '';
  const askedAtMs = Date.now();
  const { progress, result } = await untilIs(call, (facts) => {
    const { progress: now } = facts;
    if (now?.target.commit === commit && now.step !== step) {
      step = now.step;
      console.log(`  ${step} ...`);
    }
    if (!step && Date.now() - askedAtMs > beginsWithinMs)
      throw new Error('the server did not start the upgrade; see its log');
    const isOver = facts.result !== null && facts.result.at !== before;
    return isOver || (now?.target.commit === commit && now.state === 'failed');
  });
  const problem = result?.at === before ? progress?.problem : result?.problem;
  if (problem) throw new Error(`${problem.reason} ${problem.detail}`.trim());
  const away = ((result?.interruptionMs ?? 0) / 1000).toFixed(1);
  console.log(`Upgraded to ${result?.to.version}; the server was unavailable for ${away} s.`);
}

async function untilIs(call: Call, isSo: (facts: Facts) => boolean | undefined): Promise<Facts> {
  let awaySinceMs: number | undefined;
  for (;;) {
    const facts = await call(endpoints.queryUpgrade, {}).catch((error: Error) => error);
    if (!(facts instanceof Error)) {
      awaySinceMs = undefined;
      if (isSo(facts)) return facts;
    } else {
      awaySinceMs ??= Date.now();
      if (Date.now() - awaySinceMs > backWithinMs) throw facts;
    }
    await delay(askEveryMs);
  }
}

async function upgradeStopped(
  { DATA_DIR: dataDir = '', ...rest }: Environment,
  channel: ReleaseChannel,
): Promise<void> {
  const checkout = process.env[checkoutVariable] || folder;
  const isInContainer = (rest.PLATFORM_DOCKER || 'off') !== 'off';
  const installation = await inspectInstallation({ checkout, folder, isInContainer });
  const place = { dataDir, checkout, folder };
  if (installation.kind === 'checkout') await look(place);
  const found = await readFound(releaseFolders(dataDir));
  const target = choose({ installation, found }, channel);
  if (!target || values.check) return;
  console.log('The server is not running: preparing the release for its next start ...');
  const next = await install(place, target.channel, target.commit);
  await changeReleaseState(releaseFolders(dataDir).state, { next });
  console.log(`Prepared ${target.version} for the next start of the server. If this release fails, it is rolled back.`);
}

/** Prints the installed release and the newest release of the channel. Returns undefined if there is no newer release. */
function choose({ installation, found }: Pick<Facts, 'installation' | 'found'>, channel: ReleaseChannel) {
  if (installation?.kind !== 'checkout') throw new Error(whatToRun(installation?.kind));
  if (found?.problem) throw new Error(`${found.problem.reason}: ${found.problem.detail}`);
  const release = found?.[channel];
  if (!release) throw new Error(`the remote has no ${channel} release`);
  const { version, commit, changes, moreChanges } = release;
  console.log(`Installed: ${installation.version} (${installation.commit.slice(0, 12)})`);
  console.log(`Newest ${channel}: ${version} (${commit.slice(0, 12)})`);
  if (commit === installation.commit) {
    console.log('No newer release.');
    return undefined;
  }
  for (const change of changes) console.log(`  * ${change}`);
  if (moreChanges > 0) console.log(`  and ${moreChanges} more`);
  return release;
}

function whatToRun(kind: string | undefined): string {
  if (kind === 'container') return 'this is a container; build or pull a newer image and start it with the same volume';
  if (kind === 'package') return 'this is not a git checkout; install the newer package and restart';
  if (kind === 'no-remote') return 'the checkout has no remote; run: git remote add origin <address>';
  return `${kind === 'no-npm' ? 'npm' : 'git'} is missing; install it with your system's package manager`;
}
