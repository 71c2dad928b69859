// Loads each server of a checkout from a bundle instead of hundreds of files, which halves the CPU time of a start. A bundle is used only
// while all source files are unchanged. If no bundle can be built, the server loads its sources (docs/decisions/delivery.md).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateOfSources } from './source-state.ts';
import { runProgram } from './upgrade/run-program.ts';

/** Folder in the checkout. Each state of the sources has a subfolder. */
const bundlesFolder = 'node_modules/.cache/srs-stack/servers';
/** The script that builds bundles, and the bundler that this script needs. The build tools of the console contain the bundler. */
const maker = 'scripts/pack/bundle-checkout.ts';
const tool = 'node_modules/rolldown/package.json';
/** Module that Node preloads to load bundles instead of sources. It is written last, so its presence shows that the folder is complete. */
export const bundlesPreload = 'preload.mjs';
/** Packages whose sources are part of the bundles. The lock file covers third-party packages. */
const packages = ['contract', 'engine', 'gateway', 'media', 'platform', 'playback', 'process', 'rtc', 'srt', 'stack'];
const inputs = [...packages.map((name) => `packages/${name}/src`), 'scripts/pack'];
const versions = 'package-lock.json';
/** Timeout of bundling, milliseconds. It takes a few seconds on a small machine. The servers also start without bundles. */
const makeTimeoutMs = 120_000;
/**
 * Number of other bundles that are kept, 15 MB each. A running product loads parts of its bundle on demand, so its bundle must not be
 * removed.
 */
const keptOthers = 4;

export interface ServerBundlesOptions {
  readonly checkout: string;
  /** Whether missing bundles are built. If not, only existing bundles are used. */
  readonly makes: boolean;
  readonly say: (line: string) => void;
}

/** @returns absolute path of the preloaded module that loads servers from bundles. Undefined: the servers load their sources. */
export async function ensureServerBundles({ checkout, makes, say }: ServerBundlesOptions): Promise<string | undefined> {
  try {
    const place = join(checkout, bundlesFolder);
    const folder = join(place, await stateOf(checkout));
    const preload = join(folder, bundlesPreload);
    if (!existsSync(preload)) {
      if (!makes || !existsSync(join(checkout, tool))) return undefined;
      await make(checkout, folder);
    }
    await keepNewest(place, folder).catch(() => undefined);
    return preload;
  } catch (error) {
    say(`The servers could not be bundled, so they start more slowly: ${(error as Error).message}`);
    return undefined;
  }
}

async function stateOf(checkout: string): Promise<string> {
  const text = await readFile(join(checkout, versions));
  return createHash('sha256').update(stateOfSources(checkout, inputs)).update(text).digest('hex').slice(0, 32);
}

async function make(checkout: string, folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(`${folder}.`);
  // The product may run as another user than the one who installed it.
  await chmod(partial, 0o755);
  try {
    const options = { cwd: checkout, timeoutMs: makeTimeoutMs, endsWithCaller: true };
    await runProgram(process.execPath, [join(checkout, maker), partial], options);
    // Meanwhile another start of this checkout may have built the folder.
    await rename(partial, folder).catch((error) => {
      if (!existsSync(join(folder, bundlesPreload))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Marks this folder as used, and removes the least recently used folders. Without write permission, nothing happens. */
async function keepNewest(place: string, folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
  const others = (await readdir(place)).map((name) => join(place, name)).filter((each) => each !== folder);
  if (others.length <= keptOthers) return;
  const aged = await Promise.all(others.map(async (each) => ({ each, atMs: (await stat(each)).mtimeMs })));
  const oldest = aged.toSorted((one, other) => other.atMs - one.atMs).slice(keptOthers);
  await Promise.all(oldest.map(({ each }) => rm(each, { recursive: true, force: true })));
}
