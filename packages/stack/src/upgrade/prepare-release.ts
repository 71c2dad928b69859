// Prepares a release beside the running release: fetches, unpacks and installs it, builds its console, and loads its servers once. The
// running release stays unchanged. When all files are on disk, the folder gets its final name.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseIdentity, UpgradeFailure, UpgradeStep } from '@srs-stack/contract';
import { flushFileSystem, renameDurably } from './durable-file.ts';
import { localGit } from './git-command.ts';
import { identityPath, nameOf, type ReleaseFolders } from './release-folders.ts';
import { UpgradeRefusal } from './remote-releases.ts';
import { runProgram } from './run-program.ts';

/** Timeouts, milliseconds, for npm over a slow network and for builds on a small machine. */
const installTimeoutMs = 30 * 60_000;
const buildTimeoutMs = 15 * 60_000;
const checkTimeoutMs = 120_000;
/** Disk space that the installation of a release needs, bytes. */
const neededBytes = 1_500_000_000;
/** Version of the start protocol of releases. A release with another version must be installed manually. */
const releaseProtocol = 1;
const servers = ['gateway', 'platform'];

export interface PrepareOptions {
  readonly folders: ReleaseFolders;
  /** Folder in which the check stores compiled code for the first start. */
  readonly compileCache: string;
  readonly onStep: (step: UpgradeStep) => Promise<void>;
  readonly freeBytes?: (path: string) => Promise<number>;
}

/** Prepares a release whose commit is already in the repository. Resolves with the name of the release. @throws UpgradeRefusal. */
export async function prepareRelease(target: ReleaseIdentity, options: PrepareOptions): Promise<string> {
  const { folders, onStep } = options;
  const name = nameOf(target);
  if (folders.isComplete(name)) return name;
  const partial = folders.partialOf(name);
  await rm(partial, { recursive: true, force: true });
  await requireSpace(options);
  await onStep('unpack');
  await unpack(folders.repository, target.commit, partial);
  await requireProtocol(partial);
  await onStep('install');
  await inRelease('install-failed', partial, installTimeoutMs, 'npm', [
    'ci',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
  ]);
  await onStep('build');
  await inRelease('build-failed', partial, buildTimeoutMs, 'npm', ['run', 'build']);
  await inRelease('install-failed', partial, installTimeoutMs, 'npm', [
    'prune',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
  ]);
  await onStep('check');
  await checkServers(partial, options.compileCache);
  await writeFile(identityPath(partial), `${JSON.stringify(target)}\n`);
  await flushFileSystem(partial);
  await renameDurably(partial, folders.folderOf(name));
  return name;
}

async function requireSpace({ folders, freeBytes = freeBytesAt }: PrepareOptions): Promise<void> {
  const free = await freeBytes(folders.root);
  if (free < neededBytes)
    throw new UpgradeRefusal(
      'no-room',
      `${Math.round(free / 1e6)} MB of disk space are free, but an upgrade needs ${neededBytes / 1e6} MB`,
    );
}

async function freeBytesAt(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Git itself refuses paths that lead out of the folder. */
async function unpack(repository: string, commit: string, partial: string): Promise<void> {
  await mkdir(partial, { recursive: true });
  const env = { GIT_DIR: repository, GIT_WORK_TREE: partial, GIT_INDEX_FILE: join(partial, '.index') };
  try {
    await localGit(['read-tree', commit], env);
    await localGit(['checkout-index', '--all', '--force'], env);
  } catch (error) {
    throw new UpgradeRefusal('release-unusable', (error as Error).message);
  }
  await rm(env.GIT_INDEX_FILE, { force: true });
}

async function requireProtocol(partial: string): Promise<void> {
  const text = await readFile(join(partial, 'package.json'), 'utf8').catch(() => '{}');
  const protocol = protocolIn(text);
  if (protocol === releaseProtocol) return;
  throw new UpgradeRefusal(
    'release-unusable',
    `the installed release cannot start the new one (release protocol ${protocol}, supported: ${releaseProtocol}): upgrade manually`,
  );
}

function protocolIn(packageText: string): unknown {
  try {
    return (JSON.parse(packageText) as { srsStack?: { releaseProtocol?: unknown } }).srsStack?.releaseProtocol;
  } catch {
    return undefined;
  }
}

/** Each server loads all its modules and prints its version. A broken release is thus detected before streams are interrupted. */
async function checkServers(partial: string, compileCache: string): Promise<void> {
  for (const server of servers) {
    const main = join(partial, 'packages', server, 'src/main.ts');
    const run = runProgram(nodeOf(partial), [main, '--version'], {
      cwd: partial,
      timeoutMs: checkTimeoutMs,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    });
    await run.catch((error: Error) => {
      throw new UpgradeRefusal('check-failed', error.message);
    });
  }
}

async function inRelease(
  reason: UpgradeFailure,
  cwd: string,
  timeoutMs: number,
  program: string,
  args: readonly string[],
): Promise<void> {
  // Removes `NODE_ENV`. In production mode, npm would not install packages that the build needs.
  const { NODE_ENV: _mode, ...env } = process.env;
  await runProgram(program, args, { cwd, env, timeoutMs }).catch((error: Error) => {
    throw new UpgradeRefusal(reason, error.message);
  });
}

/** Path of the Node that npm installed in the release, or of the running Node. */
export function nodeOf(folder: string): string {
  const own = join(folder, 'node_modules/.bin/node');
  return existsSync(own) ? own : process.execPath;
}
