// `npm run release -- <version>`: checks the checkout, sets the version everywhere, cuts the changelog, makes the artifacts, commits and tags. Pushes
// nothing: the last lines say how.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareVersions } from '../../packages/stack/src/upgrade/version-tags.ts';
import { cutChangelog } from './changelog.ts';
import { makeArtifacts } from './release-artifacts.ts';
import { setLockVersion, setManifestVersion } from './set-version.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** Versions of upgrades have this form (`version-tags.ts`): no suffixes. */
const versionForm = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/;
const chart = 'deploy/helm/srs-stack/Chart.yaml';

const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd: checkout, stdio: 'inherit' });
const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' }).trim();
const edit = (path: string, change: (content: string) => string) =>
  writeFileSync(join(checkout, path), change(readFileSync(join(checkout, path), 'utf8')));

/** Makes the release; throws before anything is changed when it cannot be made, and restores the files when a later step fails. */
async function release(version: string, date: string): Promise<void> {
  refuse(version);
  run('npm', 'run', 'check');
  try {
    edit('CHANGELOG.md', (content) => cutChangelog(content, version, date));
    edit(chart, (content) => content.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`));
    edit('package-lock.json', (content) => setLockVersion(content, version));
    for (const path of ['package.json', ...globSync('{packages/*,bench}/package.json', { cwd: checkout })]) {
      edit(path, (content) => setManifestVersion(content, version));
    }
    for (const name of await makeArtifacts(join(checkout, 'artifacts'))) console.log(join('artifacts', name));
  } catch (error) {
    git('restore', '.');
    throw error;
  }
  git('commit', '--quiet', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `SRS Stack ${version}`);
  console.log(`\nReleased ${version} locally. Publish it:\n\n  git push origin HEAD:main v${version}\n`);
  console.log('The workflow "release" then publishes package, image and notes. To take it back before the push:');
  console.log(`\n  git tag -d v${version} && git reset --hard HEAD~1`);
}

function refuse(version: string): void {
  if (!versionForm.test(version)) throw new Error(`"${version}" is no version. Write it as 1.2.3.`);
  const changes = git('status', '--porcelain');
  if (changes) throw new Error(`The checkout has uncommitted changes. Commit or remove them:\n${changes}`);
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

try {
  await release(process.argv[2] ?? '', new Date().toISOString().slice(0, 10));
} catch (error) {
  console.error(`\nCannot release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
