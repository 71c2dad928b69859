// A git remote with releases of the product, made from these sources, and an operator's clone of this remote.
// The releases use the packages of this checkout, not of the registry: the tests check the switch between releases, not npm.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../..', import.meta.url));
const packageNames = globSync('packages/*/package.json', { cwd: sources })
  .map((path) => basename(dirname(path)))
  .filter((name) => name !== 'console');
const notSource = ['node_modules', 'dist', 'public', 'testing'];

export interface ReleaseRemote {
  /** Folder that contains everything, including data folders. `remove` deletes it. */
  readonly root: string;
  readonly checkout: string;
  /** Publishes a release with changed files to the main branch and as a tag. Returns its commit. */
  release(version: string, change?: Readonly<Record<string, (content: string) => string>>): string;
  remove(): void;
}

export function createReleaseRemote(): ReleaseRemote {
  const root = mkdtempSync(join(tmpdir(), 'srs-stack-upgrade-'));
  const [work, remote, checkout] = ['work', 'remote.git', 'checkout'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  // Node finds the dependencies of a release in a parent folder of the release.
  symlinkSync(join(sources, 'node_modules'), join(root, 'node_modules'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.org', '-C', work, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  mkdirSync(work);
  copySources(work);
  git('init', '--quiet', '--initial-branch=main');
  git('init', '--quiet', '--bare', '--initial-branch=main', remote);

  const release: ReleaseRemote['release'] = (version, change = {}) => {
    for (const [name, content] of Object.entries(manifests(version))) writeFileSync(join(work, name), content);
    const before = Object.keys(change).map((path) => [path, readFileSync(join(work, path), 'utf8')] as const);
    for (const [path, content] of before) writeFileSync(join(work, path), change[path]?.(content) ?? content);
    git('add', '--all');
    git('commit', '--quiet', '--message', `Release ${version}`);
    git('push', '--quiet', remote, 'HEAD:main', `HEAD:refs/tags/v${version}`);
    for (const [path, content] of before) writeFileSync(join(work, path), content);
    return git('rev-parse', 'HEAD');
  };
  release('1.0.0');
  git('clone', '--quiet', remote, checkout);
  execFileSync('npm', ['ci', '--offline', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' });
  return { root, checkout, release, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** Copies the files that the servers of a release need to run, without tests and without the console. */
function copySources(to: string): void {
  const filter = (path: string) => !notSource.includes(basename(path)) && !path.endsWith('.test.ts');
  for (const name of packageNames) {
    const folder = join(to, 'packages', name);
    mkdirSync(folder, { recursive: true });
    cpSync(join(sources, 'packages', name, 'src'), join(folder, 'src'), { recursive: true, filter });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(packageManifest(name)));
  }
}

function packageManifest(name: string) {
  const manifest = JSON.parse(readFileSync(join(sources, 'packages', name, 'package.json'), 'utf8')) as object;
  return { ...manifest, dependencies: undefined, optionalDependencies: undefined, devDependencies: undefined };
}

/** Manifests of a release. `npm ci` only links the packages of the release and downloads nothing. */
function manifests(version: string): Record<string, string> {
  const { srsStack } = JSON.parse(readFileSync(join(sources, 'package.json'), 'utf8')) as { srsStack: object };
  const product = { name: 'srs-stack', version, private: true, type: 'module', workspaces: ['packages/*'] };
  const links = packageNames.flatMap((name) => [
    [`packages/${name}`, { name: `@srs-stack/${name}`, version: '0.1.0' }],
    [`node_modules/@srs-stack/${name}`, { resolved: `packages/${name}`, link: true }],
  ]);
  const packages = { '': product, ...Object.fromEntries(links) };
  return {
    '.gitignore': 'node_modules/\n',
    'package.json': JSON.stringify({ ...product, srsStack, scripts: { build: 'node --version' } }),
    'package-lock.json': JSON.stringify({ name: 'srs-stack', version, lockfileVersion: 3, packages }),
    'CHANGELOG.md': `# Changelog\n\n## ${version}\n\n* News of ${version}.\n`,
  };
}
