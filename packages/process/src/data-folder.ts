// The data folder: creates the subfolders `config` and `run` for the control plane, and resolves paths inside a folder.
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { startRefusalOf } from './start-refusal.ts';

export interface DataFolder {
  readonly root: string;
  /** Settings and keys. Only the owner may read this folder. */
  readonly config: string;
  readonly run: string;
}

/** File in `run/` with the bound ports of a gateway. Most nodes have only gateway 0. */
export function portsFileName(gateway: number): string {
  return gateway === 0 ? 'ports.json' : `ports-${gateway}.json`;
}

/** File in `run/` that exists while the server is draining. `npm start` removes the file. */
export const drainFileName = 'draining.json';

const ownerOnly = 0o700;

/** Creates missing folders. @throws StartRefusal when a folder cannot be created, or its mode cannot be set. */
export async function openDataFolder(root: string): Promise<DataFolder> {
  const folder = { root, config: join(root, 'config'), run: join(root, 'run') };
  try {
    await mkdir(folder.config, { recursive: true, mode: ownerOnly });
    await chmod(folder.config, ownerOnly);
    await mkdir(folder.run, { recursive: true });
    return folder;
  } catch (error) {
    throw startRefusalOf(`The data folder ${root} cannot be used, choose another with DATA_DIR`, error);
  }
}

/**
 * Resolves `path` to its real path, without symlinks. Undefined for a missing file, and for a path outside `root`.
 * @param base folder of relative paths.
 */
export async function resolveInside(root: string, path: string, base = root): Promise<string | undefined> {
  if (path.includes('\0')) return undefined;
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(resolve(base, path))]);
    return real.startsWith(realRoot + sep) ? real : undefined;
  } catch {
    return undefined;
  }
}
