// Determines how the product was installed, and whether it can upgrade itself.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Installation } from '@srs-stack/contract';
import { versionIn } from '@srs-stack/process/product-version.ts';
import { localGit } from './git-command.ts';
import { readIdentity } from './release-folders.ts';
import { runProgram } from './run-program.ts';

/** Timeout for finding a program such as git, milliseconds. */
const versionTimeoutMs = 20_000;

export interface InstallationOptions {
  /** The operator's git checkout, whose remote is the source of releases. */
  readonly checkout: string;
  /** Folder of the running code: the checkout or a release. */
  readonly folder: string;
  readonly isInContainer: boolean;
}

/** Inspects the installation with git and npm, without network access. */
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
  return runProgram(program, ['--version'], { timeoutMs: versionTimeoutMs }).then(
    () => true,
    () => false,
  );
}

/** Absolute address of `origin`; empty without a remote. It may contain credentials, so it must never be displayed. */
export async function remoteOf(checkout: string): Promise<string> {
  if (!existsSync(join(checkout, '.git'))) return '';
  const url = (await inCheckout(checkout, ['remote', 'get-url', 'origin'])).trim();
  return /^\.{1,2}\//.test(url) ? resolve(checkout, url) : url.startsWith('-') ? '' : url;
}

/** Commit of the checkout; empty for a folder without git. */
export async function commitOf(checkout: string): Promise<string> {
  if (!existsSync(join(checkout, '.git'))) return '';
  const commit = (await inCheckout(checkout, ['rev-parse', 'HEAD'])).trim();
  return /^[0-9a-f]{40}$/.test(commit) ? commit : '';
}

/** Runs git in a checkout, whose owner may be another user than that of the service. */
function inCheckout(checkout: string, args: readonly string[]): Promise<string> {
  return localGit(['-c', `safe.directory=${checkout}`, '-C', checkout, ...args]).catch(() => '');
}

function withoutCredentials(remote: string): string {
  return remote.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}
