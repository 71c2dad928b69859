// Release folders in `releases/` of the data folder. A folder gets its final name when it is complete; before, its name ends in `.partial`
// and it is never run.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseIdentity } from '@srs-stack/contract';

const partialEnding = '.partial';
/** `1.2.3-` or `main-` followed by the first twelve digits of the commit, so that two commits never share a folder. */
const releaseName = /^(?:\d+\.\d+\.\d+|main)-[0-9a-f]{12}$/;
const shortCommitLength = 12;
/** Name of the file in a release folder that describes the release. */
const identityFile = 'release.json';
/** File that a supervisor runs, relative to a checkout or release. */
export const mainFile = 'packages/stack/src/main.ts';

export interface ReleaseFolders {
  /** `releases/` of the data folder. */
  readonly root: string;
  /** Bare repository with fetched commits. */
  readonly repository: string;
  /** Selected releases and running trial, see `release-state.ts`. */
  readonly state: string;
  /** Result of the last check of the remote. */
  readonly found: string;
  /** Progress of an upgrade. */
  readonly progress: string;
  readonly backups: string;
  folderOf(name: string): string;
  /** Folder in which a release is prepared. */
  partialOf(name: string): string;
  /** True for a complete release. */
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

/** Name of the folder of a release. */
export function nameOf({ channel, version, commit }: ReleaseIdentity): string {
  return `${channel === 'stable' ? version : 'main'}-${commit.slice(0, shortCommitLength)}`;
}

export function identityPath(folder: string): string {
  return join(folder, identityFile);
}

/** The description in a release folder; rejects when there is none. */
export async function readIdentity(folder: string): Promise<ReleaseIdentity> {
  return JSON.parse(await readFile(identityPath(folder), 'utf8')) as ReleaseIdentity;
}

/** Removes all releases except those to keep, including incomplete ones of an interrupted upgrade. */
export async function removeOtherReleases(folders: ReleaseFolders, keep: readonly (string | null)[]): Promise<void> {
  const names = await readdir(folders.root).catch(() => []);
  const unwanted = names.filter((name) => {
    return name.endsWith(partialEnding) || (isReleaseName(name) && !keep.includes(name));
  });
  await Promise.all(unwanted.map((name) => rm(join(folders.root, name), { recursive: true, force: true })));
}
