// Releases in a temporary git repository, with a provoked error at each step.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRelease, type ReleaseSteps } from './release-steps.ts';

const source = fileURLToPath(new URL('../..', import.meta.url));
const manifests = ['package.json', ...globSync('{packages/*,bench}/package.json', { cwd: source })];
const chart = 'deploy/helm/srs-stack/Chart.yaml';
const date = '2026-03-04';
let checkout: string;

const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: checkout, encoding: 'utf8', env: environment }).trim();
const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
const write = (path: string, content: string) => writeFileSync(join(checkout, path), content);
const commit = (message: string) => git('commit', '--quiet', '--all', '--message', message);

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'srs-stack-release-'));
  for (const path of [...manifests, chart, 'package-lock.json']) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    cpSync(join(source, path), join(checkout, path));
  }
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n### Added\n\n* A thing.\n');
  write('.gitignore', 'artifacts/\n');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'A maintainer');
  git('config', 'user.email', 'maintainer@example.org');
  git('add', '.');
  commit('start');
});
afterEach(() => rmSync(checkout, { recursive: true }));

const steps = (change: Partial<ReleaseSteps> = {}): ReleaseSteps => ({
  check: () => undefined,
  makeArtifacts: (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.tgz'), '');
    return Promise.resolve(['package.tgz']);
  },
  ...change,
});
const release = (version: string, change: Partial<ReleaseSteps> = {}) =>
  makeRelease({ checkout, version, date }, steps(change));

test('sets the version everywhere, commits and tags; the next release contains only later changes', async () => {
  expect(await release('1.0.0')).toEqual(['artifacts/1.0.0/package.tgz']);
  expect(git('show', '--no-patch', '--format=%s', 'v1.0.0^{commit}')).toBe('release: 1.0.0');
  expect(git('status', '--porcelain')).toBe('');
  for (const path of manifests) expect(read(path)).toContain('"version": "1.0.0"');
  expect(read(chart)).toMatch(/^version: 1\.0\.0$/m);
  expect(read(chart)).toMatch(/^appVersion: 1\.0\.0$/m);

  await expect(release('1.0.1')).rejects.toThrow('nothing to release');
  write(
    'CHANGELOG.md',
    read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n### Fixed\n\n* A mistake.\n'),
  );
  commit('mend');
  await release('1.0.1');
  expect(read('CHANGELOG.md')).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.0.1 - 2026-03-04\n\n### Fixed\n\n* A mistake.\n\n## 1.0.0 - 2026-03-04\n\n### Added\n\n* A thing.\n',
  );
  expect(git('tag')).toBe('v1.0.0\nv1.0.1');
  await expect(release('1.0.1')).rejects.toThrow('1.0.1 is not newer than 1.0.1');
});

const fails = () => {
  throw new Error('planted');
};
const leavesHalf = async (folder: string) => {
  await steps().makeArtifacts(folder);
  return fails();
};
/** After this, git refuses every commit or tag, but can still read and restore. */
const refuseRefs = (pattern: string) => () => {
  const hook = join(checkout, '.git/hooks/reference-transaction');
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\n[ "$1" = prepared ] && grep -q '${pattern}' && exit 1\nexit 0\n`, { mode: 0o755 });
};

test.each<[step: string, change: Partial<ReleaseSteps>]>([
  ['the checks', { check: fails }],
  ['the changelog', { check: () => write('CHANGELOG.md', '# Changelog\n') }],
  ['a manifest', { check: () => write('package-lock.json', 'no JSON') }],
  ['the artifacts', { makeArtifacts: leavesHalf }],
  [
    'the commit',
    { check: () => writeFileSync(join(checkout, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 }) },
  ],
  ['the tag', { check: refuseRefs('refs/tags/') }],
  ['an interrupt during the checks', { isInterrupted: () => true }],
])('an error at %s leaves the checkout unchanged', async (_step, change) => {
  const before = git('rev-parse', 'HEAD');
  mkdirSync(join(checkout, '.git/hooks'), { recursive: true });
  await expect(release('1.0.0', change)).rejects.toThrow();
  expect(git('rev-parse', 'HEAD')).toBe(before);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('tag')).toBe('');
  expect(existsSync(join(checkout, 'artifacts/1.0.0'))).toBe(false);
  expect(read('package.json')).toBe(readFileSync(join(source, 'package.json'), 'utf8'));
});

test('a file edited during the release keeps its changes and is not released', async () => {
  write('notes.md', 'first\n');
  git('add', 'notes.md');
  commit('notes');
  const edited = { check: () => write('notes.md', 'second\n') };
  await expect(release('1.0.0', { ...edited, makeArtifacts: leavesHalf })).rejects.toThrow('planted');
  expect(read('notes.md')).toBe('second\n');
  git('restore', 'notes.md');
  await release('1.0.0', edited);
  expect(git('show', 'v1.0.0:notes.md')).toBe('first');
});

test.each([
  ['1.0', /is no version/],
  ['v1.0.0', /is no version/],
  ['1.0.0-rc.1', /is no version/],
])('refuses %s as a version', async (version, message) => {
  await expect(release(version)).rejects.toThrow(message);
});

test('refuses a checkout with changes, and lists them', async () => {
  write('CHANGELOG.md', '# Changelog\n');
  await expect(release('1.0.0')).rejects.toThrow(/uncommitted changes[\s\S]*CHANGELOG\.md/);
});
