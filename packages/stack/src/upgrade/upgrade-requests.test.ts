// Upgrade requests to the supervisor, with real workers and a bare repository as remote.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { releaseFolders } from './release-folders.ts';
import { readReleaseState } from './release-state.ts';
import { openReleaseRemotes, type ReleaseRemote, type ReleaseRemotes } from './testing/release-repository.ts';
import { openUpgradeRequests, type UpgradeRequests } from './upgrade-requests.ts';

/** Preparing a release starts npm several times, for ten seconds each on a busy machine. */
vi.setConfig({ testTimeout: 90_000 });

const look = { type: 'upgrade', action: 'look' };
const installOf = (commit: string) => ({ type: 'upgrade', action: 'install', channel: 'stable', commit });

let remotes: ReleaseRemotes;
let remote: ReleaseRemote;
let dataDir: string;
let requests: UpgradeRequests;
let prepared: Promise<void>;
const ended: string[] = [];

beforeEach(() => {
  remotes = openReleaseRemotes();
  remote = remotes.create();
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-data-'));
  const reportedPrepared = Promise.withResolvers<void>();
  prepared = reportedPrepared.promise;
  requests = openUpgradeRequests({
    ...{ dataDir, checkout: remote.checkout, folder: remote.checkout },
    log: { info: (fields) => ended.push((fields as { action: string }).action), warn: () => undefined },
    onPrepared: reportedPrepared.resolve,
  });
});
afterEach(async () => {
  await requests.close();
  ended.length = 0;
  for (const folder of [remote.root, dataDir]) rmSync(folder, { recursive: true });
  remotes.remove();
});

it('prepares a release that is requested before the worker of the check that found it has exited', async () => {
  const commit = remote.release({ version: '1.1.0' }, 'v1.1.0');
  requests.handle(look);
  // At this time the worker of the first request cannot have exited.
  requests.handle(look);
  requests.handle(installOf(commit));
  await prepared;
  expect(ended).toEqual(['look', 'install']);
  expect((await readReleaseState(releaseFolders(dataDir).state)).next).toBe(`1.1.0-${commit.slice(0, 12)}`);
});

it('starts no waiting upgrade after it is closed', async () => {
  const commit = remote.release({ version: '1.1.0' }, 'v1.1.0');
  requests.handle(look);
  requests.handle(installOf(commit));
  await requests.close();
  await vi.waitUntil(() => ended.length > 0);
  expect(ended).toEqual(['look']);
  expect(existsSync(releaseFolders(dataDir).progress)).toBe(false);
});

it.each([
  ['another form', { type: 'upgrade', action: 'install', channel: 'nightly', commit: 'a'.repeat(40) }],
  ['no commit', installOf('main')],
  ['nothing', null],
])('ignores a message of %s', async (_what, message) => {
  requests.handle(message);
  requests.handle(look);
  await vi.waitUntil(() => ended.length > 0, { timeout: 60_000 });
  expect(ended).toEqual(['look']);
});
