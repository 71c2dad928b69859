// The steps of a release in a git checkout, in order: checks, changelog and versions, artifacts, commit, tag. If a step fails, the checkout
// is restored.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../packages/stack/src/upgrade/version-tags.ts';
import { cutChangelog } from './changelog.ts';
import { setLockVersion, setManifestVersion } from './set-version.ts';

export interface ReleaseSteps {
  check(): void;
  makeArtifacts(folder: string): Promise<readonly string[]>;
  /** Whether the operator requested a stop; then no further step starts. */
  isInterrupted?(): boolean;
}

export interface ReleaseRequest {
  readonly checkout: string;
  /** Three numbers, `1.2.3`. */
  readonly version: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

/** Upgrades accept only versions of this form, without suffixes (`version-tags.ts`). */
const versionForm = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;
const chart = 'deploy/helm/srs-stack/Chart.yaml';

/**
 * Commits and tags the release, and returns the paths of its artifacts in `artifacts/<version>`. If the release cannot be made, throws
 * without any change. If a later step fails, restores files, folder and branch.
 */
export async function makeRelease(request: ReleaseRequest, steps: ReleaseSteps): Promise<string[]> {
  const { checkout, version } = request;
  const git = gitIn(checkout);
  refuse(request, git);
  const before = git('rev-parse', 'HEAD');
  const files = versionedFiles(checkout);
  const folder = join('artifacts', version);
  const proceed = () => {
    if (steps.isInterrupted?.()) throw new Error('interrupted');
  };
  try {
    steps.check();
    proceed();
    setVersion(request);
    const names = await steps.makeArtifacts(join(checkout, folder));
    proceed();
    git('commit', '--quiet', '--message', `release: ${version}`, '--', ...files);
    git('tag', '--annotate', `v${version}`, '--message', `SRS Stack ${version}`);
    return names.map((name) => join(folder, name));
  } catch (error) {
    git('reset', '--quiet', '--soft', before);
    // Restores only the files of the release. Other files may have been edited meanwhile, and keep their changes.
    git('restore', '--staged', '--worktree', '--', ...files);
    rmSync(join(checkout, folder), { recursive: true, force: true });
    throw error;
  }
}

type Git = (...args: string[]) => string;

const gitIn =
  (checkout: string): Git =>
  (...args) =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();

const versionedFiles = (checkout: string): string[] => [
  'CHANGELOG.md',
  chart,
  'package-lock.json',
  ...manifestsOf(checkout),
];

const manifestsOf = (checkout: string): string[] => [
  'package.json',
  ...globSync('{packages/*,bench}/package.json', { cwd: checkout }),
];

function setVersion({ checkout, version, date }: ReleaseRequest): void {
  const edit = (path: string, change: (content: string) => string) =>
    writeFileSync(join(checkout, path), change(readFileSync(join(checkout, path), 'utf8')));
  edit('CHANGELOG.md', (content) => cutChangelog(content, version, date));
  edit(chart, (content) => content.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
  edit('package-lock.json', (content) => setLockVersion(content, version));
  for (const path of manifestsOf(checkout)) edit(path, (content) => setManifestVersion(content, version));
}

function refuse({ version }: ReleaseRequest, git: Git): void {
  if (!versionForm.test(version)) throw new Error(`"${version}" is no version. Write it as 1.2.3.`);
  const changes = git('status', '--porcelain');
  if (changes) throw new Error(`The checkout has uncommitted changes. Commit or remove them:\n${changes}`);
  requireAuthor(git);
  const newest = git('tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter((tag) => versionForm.test(tag))
    .sort(compareVersions)
    .at(-1);
  if (newest && compareVersions(version, newest) <= 0) {
    throw new Error(`${version} is not newer than ${newest}, the newest version tag. Choose a higher version.`);
  }
}

/** Commit and tag need an author. This check runs first, because the commit and the tag are made minutes later. */
function requireAuthor(git: Git): void {
  try {
    git('var', 'GIT_COMMITTER_IDENT');
  } catch {
    throw new Error('git does not know your name and address. Set user.name and user.email with git config.');
  }
}
