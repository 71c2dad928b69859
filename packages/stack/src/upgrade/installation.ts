// What this installation is, and whether it can get newer releases by itself.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Installation } from '@srs-stack/contract';
import { versionIn } from '@srs-stack/process/product-version.ts';
import { askGit } from './git-command.ts';
import { readIdentity } from './release-folders.ts';
import { runProgram } from './run-program.ts';

/** Looking for a program, milliseconds. */
const lookTimeoutMs = 20_000;

export interface InstallationOptions {
  /** Git checkout the operator made; its remote is where releases come from. */
  readonly checkout: string;
  /** Folder of the code that runs: the checkout, or a release. */
  readonly folder: string;
  readonly isInContainer: boolean;
}

/** Asks git and npm, never the network. */
export async function inspectInstallation(options: InstallationOptions): Promise<Installation> {
  const { checkout, folder } = options;
  const identity = folder === checkout ? undefined : await readIdentity(folder).catch(() => undefined);
  const remote = await remoteOf(checkout);
  return {
    kind: await kindOf(options, remote),
    version: identity?.version ?? versionIn(folder),
    commit: identity?.commit ?? (await commitOf(checkout)),
    folder,
    remote: withoutCredentials(remote),
  };
}

async function kindOf({ checkout, isInContainer }: InstallationOptions, remote: string): Promise<Installation['kind']> {
  if (isInContainer) return 'container';
  if (!existsSync(join(checkout, '.git'))) return 'package';
  if (!(await runs('git'))) return 'no-git';
  if (remote === '') return 'no-remote';
  return (await runs('npm')) ? 'checkout' : 'no-npm';
}

function runs(program: string): Promise<boolean> {
  return runProgram(program, ['--version'], { timeoutMs: lookTimeoutMs }).then(
    () => true,
    () => false,
  );
}

/** Address of `origin`, made absolute; empty when there is none. May hold credentials: never shown. */
export async function remoteOf(checkout: string): Promise<string> {
  if (!existsSync(join(checkout, '.git'))) return '';
  const url = (await inCheckout(checkout, ['remote', 'get-url', 'origin'])).trim();
  return /^\.{1,2}\//.test(url) ? resolve(checkout, url) : url.startsWith('-') ? '' : url;
}

/** Commit the checkout is at; empty when it is none. */
export async function commitOf(checkout: string): Promise<string> {
  if (!existsSync(join(checkout, '.git'))) return '';
  const commit = (await inCheckout(checkout, ['rev-parse', 'HEAD'])).trim();
  return /^[0-9a-f]{40}$/.test(commit) ? commit : '';
}

/** The service may run as another user than the one who owns the checkout. */
function inCheckout(checkout: string, args: readonly string[]): Promise<string> {
  return askGit(['-c', `safe.directory=${checkout}`, '-C', checkout, ...args]).catch(() => '');
}

function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}
