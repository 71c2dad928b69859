// Replaces this supervisor by the supervisor of the selected release. A supervisor that is watched reports its state to its watcher.
import { join } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { Environment } from '../environment.ts';
import { writeDurably } from './durable-file.ts';
import { inspectInstallation } from './installation.ts';
import { nodeOf } from './prepare-release.ts';
import { mainFile, releaseFolders } from './release-folders.ts';
import { changeReleaseExitCode, checkoutVariable } from './release-process.ts';
import { noteReady } from './release-state.ts';
import type { ServersEnd } from './run-releases.ts';

/** Variable with the folder to which this process was switched. It prevents a loop between two releases that select each other. */
const handedOverVariable = 'SRS_STACK_HANDED_OVER';

export interface HandOverOptions {
  readonly folder: string;
  readonly dataDir: string;
  readonly checkout: string;
}

/** Replaces this process by exec, with the same process id, output and signals. @throws StartRefusal on failure. */
export function handOverTo({ folder, dataDir, checkout }: HandOverOptions): never {
  const node = nodeOf(folder);
  if (process.env[handedOverVariable] === folder || !process.execve) {
    throw new StartRefusal(
      `The release in ${folder} cannot be run from here. Start it with: ${node} ${join(folder, mainFile)}`,
    );
  }
  const environment = { ...process.env, DATA_DIR: dataDir, [checkoutVariable]: checkout, [handedOverVariable]: folder };
  return process.execve(node, [node, join(folder, mainFile)], environment);
}

/** Exit code of a watched release, for its watcher. */
export function exitCodeOf(end: ServersEnd): number {
  return end.kind === 'change' ? changeReleaseExitCode : end.exitCode;
}

/**
 * Called after the first successful call. Notifies the watching supervisor, records the downtime of a rollback, and writes the installed
 * release to a file for the control plane.
 */
export async function reportReady(options: HandOverOptions & { readonly environment: Environment }): Promise<void> {
  process.send?.({ type: 'ready' });
  await noteReady(releaseFolders(options.dataDir).state, Date.now());
  const isInContainer = (options.environment.PLATFORM_DOCKER || 'off') !== 'off';
  const installation = await inspectInstallation({ ...options, isInContainer });
  await writeDurably(join(options.dataDir, 'run', 'installation.json'), `${JSON.stringify(installation)}\n`);
}
