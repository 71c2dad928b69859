// Checks for releases and prepares a release, with real git and npm and a bare repository as remote.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foundReleases, type ReleaseChannel, upgradeProgress, upgradeSteps } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { inspectInstallation } from './installation.ts';
import { prepareRelease } from './prepare-release.ts';
import { releaseFolders } from './release-folders.ts';
import { openReleaseRemotes, type ReleaseRemote, type ReleaseRemotes } from './testing/release-repository.ts';
import { install, look } from './upgrade-worker.ts';

/**
 * Preparing a release starts npm several times. The test with a kill at every step starts npm about twelve times, for ten seconds each on a
 * busy machine.
 */
vi.setConfig({ testTimeout: 360_000 });

let remotes: ReleaseRemotes;
let remote: ReleaseRemote;
let dataDir: string;
const place = () => ({ dataDir, checkout: remote.checkout, folder: remote.checkout });
const folders = () => releaseFolders(dataDir);
const found = () => foundReleases.parse(JSON.parse(readFileSync(folders().found, 'utf8')));
const progress = () => upgradeProgress.parse(JSON.parse(readFileSync(folders().progress, 'utf8')));
const stepNow = () => (existsSync(folders().progress) ? progress().step : undefined);
const workerFile = fileURLToPath(new URL('upgrade-worker.ts', import.meta.url));
const releasesOnDisk = () => readdirSync(folders().root).filter((name) => /^(?:\d|main)/.test(name));
const inspect = (isInContainer = false) =>
  inspectInstallation({ checkout: remote.checkout, folder: remote.checkout, isInContainer });

beforeAll(() => {
  remotes = openReleaseRemotes();
});
afterAll(() => remotes.remove());
beforeEach(() => {
  remote = remotes.create();
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-data-'));
});
afterEach(() => {
  rmSync(remote.root, { recursive: true });
  rmSync(dataDir, { recursive: true });
});

describe('what is installed', () => {
  it('is a checkout with a remote, and can be upgraded', async () => {
    expect(await inspect()).toEqual({
      kind: 'checkout',
      version: '1.0.0',
      commit: remote.git('rev-parse', 'HEAD').trim(),
      folder: remote.checkout,
      remote: remote.url,
    });
  });

  it('never shows the credentials of the remote', async () => {
    remote.git('-C', remote.checkout, 'remote', 'set-url', 'origin', 'https://user:s3cret@example.org/x.git');
    expect((await inspect()).remote).toBe('https://example.org/x.git');
  });

  it('cannot be upgraded in a container, without a remote, or without a checkout', async () => {
    expect((await inspect(true)).kind).toBe('container');
    remote.git('-C', remote.checkout, 'remote', 'remove', 'origin');
    expect((await inspect()).kind).toBe('no-remote');
    rmSync(join(remote.checkout, '.git'), { recursive: true });
    expect((await inspect()).kind).toBe('package');
  });
});

describe('checking for releases', () => {
  it('finds the newest version and the newest commit, and the changes since the installed one', async () => {
    const changelog = '# Changelog\n\n## 1.1.0\n\n* Sooner pictures.\n\n## 1.0.0\n\n* First.\n';
    const tagged = remote.release({ version: '1.1.0', changelog }, 'v1.1.0');
    const newest = remote.release({ version: '1.2.0' });
    remote.git('push', '--quiet', remote.url, 'HEAD:refs/tags/v9.9.9-evil');
    await look(place());
    expect(found()).toMatchObject({
      problem: null,
      stable: { channel: 'stable', version: '1.1.0', commit: tagged, changes: ['Sooner pictures.'] },
      development: {
        channel: 'development',
        version: '1.2.0',
        commit: newest,
        changes: ['Release 1.2.0', 'Release 1.1.0'],
      },
    });
    expect(remote.git('-C', remote.checkout, 'status', '--porcelain')).toBe('');
  });

  it('reports that nothing is newer', async () => {
    await look(place());
    expect(found().stable).toMatchObject({ version: '1.0.0', changes: [] });
  });

  it('reports an unavailable remote without its address', async () => {
    rmSync(remote.url, { recursive: true });
    await expect(look(place())).rejects.toThrow();
    const { problem, stable } = found();
    expect(stable).toBeNull();
    expect(problem?.reason).toBe('remote-unreachable');
    expect(problem?.detail).not.toContain(remote.url);
  });

  it('keeps the releases found before when a check fails', async () => {
    const commit = remote.release({ version: '1.1.0' }, 'v1.1.0');
    await look(place());
    rmSync(remote.url, { recursive: true });
    await expect(look(place())).rejects.toThrow();
    expect(found()).toMatchObject({ problem: { reason: 'remote-unreachable' }, stable: { version: '1.1.0', commit } });
  });

  it.each(['{"checkedAt":', '{"checkedAt":"","problem":null,"stable":{}}'])(
    'replaces the unusable result %s',
    async (text) => {
      await look(place());
      writeFileSync(folders().found, text);
      rmSync(remote.url, { recursive: true });
      await expect(look(place())).rejects.toThrow();
      expect(found()).toMatchObject({ problem: { reason: 'remote-unreachable' }, stable: null });
    },
  );

  it('never runs a program named in the address of the remote', async () => {
    const trace = join(dataDir, 'trace');
    remote.git('-C', remote.checkout, 'remote', 'set-url', 'origin', `ext::touch ${trace}`);
    await expect(look(place())).rejects.toThrow(/not allowed/);
    expect(existsSync(trace)).toBe(false);
  });
});

describe('preparing a release', () => {
  const failsWith = async (channel: ReleaseChannel, commit: string, reason: string, step: string) => {
    await expect(install(place(), channel, commit)).rejects.toThrow();
    expect(progress()).toMatchObject({ state: 'failed', step, problem: { reason } });
    expect(releasesOnDisk().filter((name) => !name.endsWith('.partial'))).toEqual([]);
  };

  it('installs, builds and checks the release beside the running one', async () => {
    const files = { 'build.js': "import { writeFileSync } from 'node:fs'; writeFileSync('built', '');" };
    const commit = remote.release({ version: '1.1.0', files }, 'v1.1.0');
    const name = await install(place(), 'stable', commit);
    expect(name).toBe(`1.1.0-${commit.slice(0, 12)}`);
    expect(releasesOnDisk()).toEqual([name]);
    expect(readdirSync(folders().folderOf(name))).toEqual(
      expect.arrayContaining(['built', 'package.json', 'release.json']),
    );
    expect(progress()).toMatchObject({ state: 'running', step: 'restart' });
    expect(remote.git('-C', remote.checkout, 'status', '--porcelain')).toBe('');
  });

  it('refuses a commit that the channel no longer has', async () => {
    const commit = remote.release({ version: '1.1.0' }, 'v1.1.0');
    remote.release({ version: '1.2.0' }, 'v1.2.0');
    await failsWith('stable', commit, 'release-unusable', 'fetch');
    await failsWith('development', commit, 'release-unusable', 'fetch');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['of another release protocol', { 'package.json': '{"version":"1.1.0"}' }, 'release-unusable', 'unpack'],
    ['that cannot be installed', { 'package-lock.json': 'nonsense' }, 'install-failed', 'install'],
    ['whose console cannot be built', { 'build.js': 'process.exit(1)' }, 'build-failed', 'build'],
    [
      'whose servers cannot be loaded',
      { 'packages/gateway/src/main.ts': 'import "./missing.ts";' },
      'check-failed',
      'check',
    ],
  ])('fails for a release %s, with the reason', async (_what, files, reason, step) => {
    await failsWith('stable', remote.release({ version: '1.1.0', files }, 'v1.1.0'), reason, step);
  });

  it('requires disk space before it starts', async () => {
    const target = { channel: 'stable' as const, version: '1.1.0', commit: 'a'.repeat(40) };
    const prepared = prepareRelease(target, {
      folders: folders(),
      compileCache: join(dataDir, 'cache'),
      onStep: async () => undefined,
      freeBytes: async () => 1_000_000_000,
    });
    await expect(prepared).rejects.toMatchObject({
      reason: 'no-room',
      message: '1000 MB of disk space are free, but an upgrade needs 1500 MB',
    });
  });

  it('killed at each step in turn leaves the running release and no incomplete one; each time it gets further, and finally completes', async () => {
    const commit = remote.release({ version: '1.1.0' }, 'v1.1.0');
    const before = remote.git('-C', remote.checkout, 'rev-parse', 'HEAD');
    const name = `1.1.0-${commit.slice(0, 12)}`;
    for (const step of ['fetch', 'unpack', 'install', 'build', 'check'] as const) {
      await killAt(step, commit);
      const complete = releasesOnDisk().filter((each) => !each.endsWith('.partial'));
      expect([[], [name]], `killed at "${step}"`).toContainEqual(complete);
      expect(remote.git('-C', remote.checkout, 'rev-parse', 'HEAD')).toBe(before);
    }
    expect(await install(place(), 'stable', commit)).toBe(name);
    expect(releasesOnDisk()).toEqual([name]);
  });

  /** Installs in a separate process. At the given step, this process and its children are killed. */
  async function killAt(step: (typeof upgradeSteps)[number], commit: string): Promise<void> {
    // Removes the progress of the last run. Afterwards the file shows the last step of this run.
    rmSync(folders().progress, { force: true });
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      SRS_STACK_CHECKOUT: remote.checkout,
      SRS_STACK_FOLDER: remote.checkout,
    };
    const worker = spawn(process.execPath, [workerFile, 'install', 'stable', commit], {
      env,
      detached: true,
      stdio: 'ignore',
    });
    const ended = once(worker, 'close');
    const order = upgradeSteps.indexOf(step);
    await vi.waitUntil(() => upgradeSteps.indexOf(stepNow() ?? 'fetch') >= order && stepNow() !== undefined, {
      timeout: 60_000,
      interval: 5,
    });
    if (worker.exitCode === null) process.kill(-(worker.pid as number), 'SIGKILL');
    await ended;
  }

  it('starts again after an interrupted upgrade, and removes its leftovers', async () => {
    const broken = remote.release({ version: '1.1.0', files: { 'build.js': 'process.exit(1)' } }, 'v1.1.0');
    await expect(install(place(), 'stable', broken)).rejects.toThrow();
    expect(releasesOnDisk()).toEqual([`1.1.0-${broken.slice(0, 12)}.partial`]);
    const commit = remote.release({ version: '1.2.0' }, 'v1.2.0');
    writeFileSync(join(folders().repository, 'refs', 'heads', 'main.lock'), '');
    expect(await install(place(), 'stable', commit)).toBe(`1.2.0-${commit.slice(0, 12)}`);
    expect(releasesOnDisk()).toEqual([`1.2.0-${commit.slice(0, 12)}`]);
  });
});
