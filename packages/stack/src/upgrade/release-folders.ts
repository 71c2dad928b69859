// Release folders in `releases/` of the data folder. The name of an incomplete folder ends in `.partial`, and the product never runs from
// it. A complete folder gets its final name.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseIdentity } from '@srs-stack/contract';

const partialEnding = '.partial';
/** `1.2.3-` or `main-`, followed by the first twelve digits of the commit, so that each commit has its own folder. */
const releaseName = /^(?:\d+\.\d+\.\d+|main)-[0-9a-f]{12}$/;
const shortCommitLength = 12;
const identityFile = 'release.json';
/** The supervisor's file, relative to a checkout or release. */
export const mainFile = 'packages/stack/src/main.ts';

export interface ReleaseFolders {
  /** The folder `releases/` of the data folder. */
  readonly root: string;
  /** Path of a bare repository with the fetched commits. */
  readonly repository: string;
  /** File with the selected releases and the running trial (`release-state.ts`). */
  readonly state: string;
  readonly found: string;
  readonly progress: string;
  readonly backups: string;
  folderOf(name: string): string;
  partialOf(name: string): string;
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

/** Name of a release's folder. */
export function nameOf({ channel, version, commit }: ReleaseIdentity): string {
  return `${channel === 'stable' ? version : 'main'}-${commit.slice(0, shortCommitLength)}`;
}

export function identityPath(folder: string): string {
  return join(folder, identityFile);
}

/** Reads the description of a release from its folder. Rejects if the folder has none. */
export async function readIdentity(folder: string): Promise<ReleaseIdentity> {
  return JSON.parse(await readFile(identityPath(folder), 'utf8')) as ReleaseIdentity;
}

/** Removes all releases except those in `keep`, and incomplete folders of interrupted upgrades. */
export async function removeOtherReleases(folders: ReleaseFolders, keep: readonly (string | null)[]): Promise<void> {
  const names = await readdir(folders.root).catch(() => []);
  const unwanted = names.filter((name) => {
    return name.endsWith(partialEnding) || (isReleaseName(name) && !keep.includes(name));
  });
  await Promise.all(unwanted.map((name) => rm(join(folders.root, name), { recursive: true, force: true })));
}
