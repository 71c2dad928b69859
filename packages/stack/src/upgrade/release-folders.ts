// Where releases are: each in a folder of its own below `releases/` of the data folder, complete from the moment it has its
// name. What is under construction ends in `.partial` and never runs.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseIdentity } from '@srs-stack/contract';

const partialEnding = '.partial';
/** `1.2.3-` or `main-` and the first twelve digits of the commit: two commits never share a folder. */
const releaseName = /^(?:\d+\.\d+\.\d+|main)-[0-9a-f]{12}$/;
const shortCommitLength = 12;
/** File of a release folder that says what it is. */
const identityFile = 'release.json';
/** What a supervisor runs, relative to a checkout or release. */
export const mainFile = 'packages/stack/src/main.ts';

export interface ReleaseFolders {
  /** `releases/` of the data folder. */
  readonly root: string;
  /** Bare repository that releases are taken from. */
  readonly repository: string;
  /** Pointer and journal, see `release-state.ts`. */
  readonly state: string;
  /** What the last look at the remote found. */
  readonly found: string;
  /** How far an upgrade is. */
  readonly progress: string;
  readonly backups: string;
  folderOf(name: string): string;
  /** Where a release is put together. */
  partialOf(name: string): string;
  /** True for a release that can be run. */
  isComplete(name: string): boolean;
}

export function releaseFolders(dataDir: string): ReleaseFolders {
  const root = join(dataDir, 'releases');
  const folderOf = (name: string) => {
    if (!isReleaseName(name)) throw new Error(`"${name}" is not the name of a release`);
    return join(root, name);
  };
  return {
    root,
    repository: join(root, 'repository.git'),
    state: join(root, 'state.json'),
    found: join(root, 'found.json'),
    progress: join(root, 'progress.json'),
    backups: join(root, 'backups'),
    folderOf,
    partialOf: (name) => `${folderOf(name)}${partialEnding}`,
    isComplete: (name) => existsSync(join(folderOf(name), mainFile)),
  };
}

export function isReleaseName(name: string): boolean {
  return releaseName.test(name);
}

/** Folder name of a release. */
export function nameOf({ channel, version, commit }: ReleaseIdentity): string {
  return `${channel === 'stable' ? version : 'main'}-${commit.slice(0, shortCommitLength)}`;
}

export function identityPath(folder: string): string {
  return join(folder, identityFile);
}

/** What a release folder says of itself; rejects when it says nothing. */
export async function readIdentity(folder: string): Promise<ReleaseIdentity> {
  return JSON.parse(await readFile(identityPath(folder), 'utf8')) as ReleaseIdentity;
}

/** Removes every release that is not to be kept, and what an interrupted upgrade left half-made. */
export async function removeOtherReleases(folders: ReleaseFolders, keep: readonly (string | null)[]): Promise<void> {
  const names = await readdir(folders.root).catch(() => []);
  const unwanted = names.filter((name) => {
    return name.endsWith(partialEnding) || (isReleaseName(name) && !keep.includes(name));
  });
  await Promise.all(unwanted.map((name) => rm(join(folders.root, name), { recursive: true, force: true })));
}
