// How this supervisor stands to others: it hands over to the release that is chosen, and a watched one tells how it fares.
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

/** Names the folder that was handed over to, so that two supervisors that disagree do not do it for ever. */
const handedOverVariable = 'SRS_STACK_HANDED_OVER';

export interface HandOverOptions {
  /** Folder of the release or checkout that goes on. */
  readonly folder: string;
  readonly dataDir: string;
  readonly checkout: string;
}

/** Replaces this process: the same process id, output and signals, no process more. Throws `StartRefusal` when it cannot. */
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

/** What a watched release ends with. */
export function exitCodeOf(end: ServersEnd): number {
  return end.kind === 'change' ? changeReleaseExitCode : end.exitCode;
}

/** The first call was answered: the watching supervisor hears it, and the control plane learns what is installed. */
export async function tellReady(options: HandOverOptions & { readonly environment: Environment }): Promise<void> {
  process.send?.({ type: 'ready' });
  await noteReady(releaseFolders(options.dataDir).state, Date.now());
  const isInContainer = (options.environment.PLATFORM_DOCKER || 'off') !== 'off';
  const installation = await inspectInstallation({ ...options, isInContainer });
  await writeDurably(join(options.dataDir, 'run', 'installation.json'), `${JSON.stringify(installation)}\n`);
}
