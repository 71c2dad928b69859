// A remote with releases for tests of upgrades: a bare repository with minimal releases. The test defines whether a release reports
// readiness. The releases need no packages, so that `npm ci` is fast.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Behaviour of a test release after its start. */
export type Behaviour = 'good' | 'ends' | 'hangs' | 'migrates-and-ends';

export interface ReleaseFiles {
  readonly version: string;
  readonly behaviour?: Behaviour;
  /** Files that are added to the files of a good release, or replace them. */
  readonly files?: Readonly<Record<string, string>>;
  readonly changelog?: string;
}

export interface ReleaseRemote {
  /** Folder with all files of the remote, which the test must remove. */
  readonly root: string;
  readonly url: string;
  readonly checkout: string;
  /** Commits a release to main and returns the commit. @param tag tags the commit. */
  release(files: ReleaseFiles, tag?: string): string;
  git(...args: string[]): string;
}

/**
 * Source of a main file. It appends to `starts.log` of the data folder, so that a test can check which release ran. `behaviour` defines
 * what happens next.
 */
const mainOf = ({ version, behaviour = 'good' }: ReleaseFiles) => `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
const data = process.env.DATA_DIR;
process.on('SIGTERM', () => process.exit(0));
appendFileSync(join(data, 'starts.log'), '${version}\\n');
setInterval(() => undefined, 60_000);
${behaviour === 'migrates-and-ends' ? "writeFileSync(join(data, 'config', 'setting'), 'migrated');" : ''}
${behaviour.endsWith('ends') ? "console.error('the migration failed'); process.exit(1);" : ''}
${behaviour === 'good' ? "process.send?.({ type: 'ready' });" : ''}
process.on('message', () => undefined);
`;

const filesOf = (release: ReleaseFiles): Record<string, string> => ({
  'package.json': JSON.stringify({
    name: 'product',
    version: release.version,
    private: true,
    type: 'module',
    scripts: { build: 'node build.js' },
    srsStack: { releaseProtocol: 1 },
  }),
  'package-lock.json': JSON.stringify({
    name: 'product',
    version: release.version,
    lockfileVersion: 3,
    packages: { '': { name: 'product', version: release.version } },
  }),
  'build.js': '',
  'CHANGELOG.md': release.changelog ?? '# Changelog\n',
  'packages/stack/src/main.ts': mainOf(release),
  'packages/gateway/src/main.ts': `console.log('${release.version}');`,
  'packages/platform/src/main.ts': `console.log('${release.version}');`,
  ...release.files,
});

export function writeRelease(folder: string, files: ReleaseFiles): void {
  for (const [path, content] of Object.entries(filesOf(files))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface ReleaseRemotes {
  /** Creates a remote with a working release 1.0.0, and the operator's clone of this remote. */
  create(): ReleaseRemote;
  remove(): void;
}

/** Creates the first release once and copies it for each remote, which needs a tenth of the git processes. */
export function openReleaseRemotes(): ReleaseRemotes {
  const first = mkdtempSync(join(tmpdir(), 'srs-stack-first-release-'));
  const template = remoteIn(first);
  const { url, checkout } = template;
  git(first, 'init', '--quiet', '--bare', '--initial-branch=main', url);
  git(first, 'init', '--quiet', '--initial-branch=main', join(first, 'work'));
  template.release({ version: '1.0.0' }, 'v1.0.0');
  git(first, 'clone', '--quiet', url, checkout);
  return {
    create() {
      const root = mkdtempSync(join(tmpdir(), 'srs-stack-remote-'));
      cpSync(first, root, { recursive: true, preserveTimestamps: true });
      const remote = remoteIn(root);
      const config = join(remote.checkout, '.git/config');
      writeFileSync(config, readFileSync(config, 'utf8').replace(url, remote.url));
      return remote;
    },
    remove: () => rmSync(first, { recursive: true }),
  };
}

function remoteIn(root: string): ReleaseRemote {
  const url = join(root, 'remote.git');
  const work = join(root, 'work');
  const inWork = (...args: string[]) => git(root, '-C', work, ...args);
  const release = (files: ReleaseFiles, tag?: string) => {
    rmSync(join(work, 'packages'), { recursive: true, force: true });
    writeRelease(work, files);
    inWork('add', '--all');
    inWork('commit', '--quiet', '--allow-empty', '--message', `Release ${files.version}`);
    inWork('push', '--quiet', url, 'HEAD:main', ...(tag ? [`HEAD:refs/tags/${tag}`] : []));
    return inWork('rev-parse', 'HEAD').trim();
  };
  return { root, url, checkout: join(root, 'checkout'), release, git: inWork };
}

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
