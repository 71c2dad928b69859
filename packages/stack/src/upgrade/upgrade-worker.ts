// A low-priority process beside the running servers. It checks for releases (`look`), or prepares a release (`install <channel> <commit>`).
// Results and progress are written to files in `releases/`. Exit code 0 means success.
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import {
  type FoundReleases,
  foundReleases,
  type ReleaseChannel,
  type ReleaseIdentity,
  releaseChannels,
} from '@srs-stack/contract';
import { writeDurably } from './durable-file.ts';
import { inspectInstallation, remoteOf } from './installation.ts';
import { prepareRelease } from './prepare-release.ts';
import { beginProgress } from './progress-file.ts';
import { type ReleaseFolders, releaseFolders, removeOtherReleases } from './release-folders.ts';
import { readReleaseState } from './release-state.ts';
import { lookForReleases, UpgradeRefusal } from './remote-releases.ts';

/** Nice value, because encoders and viewers take precedence. */
const priority = 10;

export interface WorkerPlace {
  readonly dataDir: string;
  /** The operator's checkout, whose remote contains the releases. */
  readonly checkout: string;
  readonly folder: string;
}

/** Queries the remote and stores the result. After a failed query, the releases found before remain, with the failure. */
export async function look(place: WorkerPlace): Promise<void> {
  const { folders, remote, installed } = await open(place);
  try {
    const found = await lookForReleases(folders.repository, remote, installed, new Date());
    await writeDurably(folders.found, `${JSON.stringify(found)}\n`);
  } catch (error) {
    const problem = problemOf(error);
    const { stable = null, development = null } = (await readFound(folders)) ?? {};
    const failed: FoundReleases = { checkedAt: new Date().toISOString(), problem, stable, development };
    await writeDurably(folders.found, `${JSON.stringify(failed)}\n`);
    throw error;
  }
}

/**
 * Prepares the commit that the operator confirmed, and resolves with the name of the release. Refuses if the channel has a newer commit.
 */
export async function install(place: WorkerPlace, channel: ReleaseChannel, commit: string): Promise<string> {
  const { folders, remote, installed } = await open(place);
  const progress = await beginProgress(folders.progress, { channel, version: '', commit }, new Date());
  try {
    const found = (await lookForReleases(folders.repository, remote, installed, new Date()))[channel];
    if (found?.commit !== commit)
      throw new UpgradeRefusal('release-unusable', 'the channel has a newer release now: check for updates again');
    const target: ReleaseIdentity = { channel, version: found.version, commit };
    const { current, previous } = await readReleaseState(folders.state);
    await removeOtherReleases(folders, [current, previous]);
    const name = await prepareRelease(target, {
      folders,
      compileCache: join(place.dataDir, 'run', 'compile-cache'),
      onStep: (step) => progress.step(step),
    });
    await progress.step('restart');
    return name;
  } catch (error) {
    await progress.failed(problemOf(error));
    throw error;
  }
}

/** Result of the last check; null before the first check, or when the file is damaged or from another version. */
export async function readFound(folders: ReleaseFolders): Promise<FoundReleases | null> {
  try {
    return foundReleases.parse(JSON.parse(await readFile(folders.found, 'utf8')));
  } catch {
    return null;
  }
}

async function open(place: WorkerPlace) {
  const folders: ReleaseFolders = releaseFolders(place.dataDir);
  const installed = await inspectInstallation({ ...place, isInContainer: false });
  if (installed.kind !== 'checkout')
    throw new UpgradeRefusal('remote-unreachable', `this installation has no usable Git checkout (${installed.kind})`);
  return { folders, installed, remote: await remoteOf(place.checkout) };
}

function problemOf(error: unknown) {
  if (error instanceof UpgradeRefusal) return error.problem;
  return { reason: 'release-unusable' as const, detail: (error as Error).message };
}

if (import.meta.main) {
  const [action, channel = '', commit = ''] = process.argv.slice(2);
  const { DATA_DIR: dataDir = '', SRS_STACK_CHECKOUT: checkout = '', SRS_STACK_FOLDER: folder = '' } = process.env;
  setPriority(priority);
  // Called when the supervisor stops or has exited. Also kills npm and git, which are in the process group of this process.
  const end = () => process.kill(-process.pid, 'SIGKILL');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end);
  process.once('disconnect', end);
  process.channel?.unref();
  const place = { dataDir, checkout, folder };
  const isChannel = (name: string): name is ReleaseChannel => (releaseChannels as readonly string[]).includes(name);
  const work = action === 'install' && isChannel(channel) ? install(place, channel, commit) : look(place);
  work.then(
    (name) => {
      if (name !== undefined) process.send?.({ prepared: name });
      process.exitCode = 0;
    },
    (error: Error) => {
      console.error(`upgrade: ${error.message}`);
      process.exitCode = 1;
    },
  );
}
