// Fetches the newest releases from the remote of the checkout into a bare repository of the data folder. The checkout is not changed, and
// may be read-only.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  FoundRelease,
  FoundReleases,
  Installation,
  ReleaseChannel,
  UpgradeFailure,
  UpgradeProblem,
} from '@srs-stack/contract';
import { localGit, remoteGit } from './git-command.ts';
import { type Changes, changelogEntries, commitSubjects } from './release-changes.ts';
import { readReferences } from './version-tags.ts';

/** Maximum number of commits that are listed and counted. The displayed list is shorter. */
const maxListedCommits = 500;
/** Maximum size of a file of the remote that is read, characters. */
const maxFileLength = 1_000_000;

/** Stops an upgrade, with a reason. If a program failed, the message is the output of this program. */
export class UpgradeRefusal extends Error {
  override readonly name = 'UpgradeRefusal';
  readonly reason: UpgradeFailure;
  constructor(reason: UpgradeFailure, detail: string) {
    super(detail);
    this.reason = reason;
  }
  get problem(): UpgradeProblem {
    return { reason: this.reason, detail: this.message };
  }
}

type Installed = Pick<Installation, 'version' | 'commit'>;

/** Fetches the newest version tag and the main branch, and returns their releases. @throws UpgradeRefusal. */
export async function lookForReleases(
  repository: string,
  remote: string,
  installed: Installed,
  now: Date,
): Promise<FoundReleases> {
  await prepareRepository(repository);
  const { tag, hasMain } = await fetchNewest(repository, remote);
  return {
    checkedAt: now.toISOString(),
    problem: null,
    stable: tag === undefined ? null : await describe(repository, 'stable', `refs/tags/v${tag}`, installed, tag),
    development: hasMain ? await describe(repository, 'development', 'refs/heads/main', installed) : null,
  };
}

async function prepareRepository(repository: string): Promise<void> {
  const isUsable =
    existsSync(join(repository, 'HEAD')) &&
    (await inside(repository, ['rev-parse', '--git-dir']).catch(() => '')) !== '';
  if (isUsable) return;
  // If the folder exists, a power failure interrupted an earlier `init`. The folder can be removed, because its content can be fetched
  // again.
  await rm(repository, { recursive: true, force: true });
  await localGit(['init', '--quiet', '--bare', repository]);
}

async function fetchNewest(repository: string, remote: string) {
  try {
    const output = await remoteGit(['ls-remote', '--', remote, 'refs/heads/main', 'refs/tags/v*']);
    const { newestVersion: tag, hasMainBranch: hasMain } = readReferences(output);
    const references = [...(tag === undefined ? [] : [`refs/tags/v${tag}`]), ...(hasMain ? ['refs/heads/main'] : [])];
    if (references.length > 0) await fetchReferences(repository, remote, references);
    return { tag, hasMain };
  } catch (error) {
    throw new UpgradeRefusal('remote-unreachable', (error as Error).message.replaceAll(remote, 'origin'));
  }
}

/** A lock can only be left over from a power failure, because only one worker at a time uses this repository. It is removed. */
async function fetchReferences(repository: string, remote: string, references: readonly string[]): Promise<void> {
  await rm(join(repository, 'shallow.lock'), { force: true });
  for (const reference of references) await rm(join(repository, `${reference}.lock`), { force: true });
  const specifications = references.map((reference) => `+${reference}:${reference}`);
  await remoteGit([
    '--git-dir',
    repository,
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--',
    remote,
    ...specifications,
  ]);
}

async function describe(
  repository: string,
  channel: ReleaseChannel,
  reference: string,
  installed: Installed,
  tag?: string,
): Promise<FoundRelease> {
  const commit = (await inside(repository, ['rev-parse', '--verify', `${reference}^{commit}`])).trim();
  const date = (await inside(repository, ['show', '--no-patch', '--format=%cI', commit])).trim();
  const version = tag ?? (await versionAt(repository, commit));
  return {
    channel,
    version,
    commit,
    date,
    ...(await changesOf(repository, commit, version, installed, tag !== undefined)),
  };
}

/** Changes since the installed release: changelog entries for a version, or commit subjects if there are no such entries. */
async function changesOf(
  repository: string,
  commit: string,
  version: string,
  installed: Installed,
  isVersion: boolean,
): Promise<Changes> {
  if (commit === installed.commit) return { changes: [], moreChanges: 0 };
  if (isVersion) {
    const changelog = (await fileAt(repository, commit, 'CHANGELOG.md').catch(() => '')).slice(0, maxFileLength);
    const entries = changelogEntries(changelog, installed.version, version);
    if (entries.changes.length > 0) return entries;
  }
  const log = ['log', '--no-merges', `--max-count=${maxListedCommits}`, '--format=%s', commit];
  const isKnown = installed.commit !== '' && (await contains(repository, installed.commit));
  return commitSubjects(await inside(repository, isKnown ? [...log, `^${installed.commit}`] : log));
}

function contains(repository: string, commit: string): Promise<boolean> {
  return inside(repository, ['cat-file', '-e', `${commit}^{commit}`]).then(
    () => true,
    () => false,
  );
}

async function versionAt(repository: string, commit: string): Promise<string> {
  try {
    const { version } = JSON.parse(await fileAt(repository, commit, 'package.json')) as { version?: unknown };
    if (typeof version === 'string' && /^\d+\.\d+\.\d+[\w.+-]{0,40}$/.test(version)) return version;
  } catch {
    // A missing or invalid package.json is reported below.
  }
  throw new UpgradeRefusal('release-unusable', 'the package.json of the release has no valid version');
}

function fileAt(repository: string, commit: string, path: string): Promise<string> {
  return inside(repository, ['show', `${commit}:${path}`]);
}

function inside(repository: string, args: readonly string[]): Promise<string> {
  return localGit(['--git-dir', repository, ...args]);
}
