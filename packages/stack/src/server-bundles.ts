// The servers of a checkout, each loaded from one file instead of hundreds: half the work of a start, and of the restart of a server that
// was killed. The sources stay what runs: a bundle counts only while every source looks as it did when the bundle was made, and where
// none can be made the sources themselves are loaded (docs/decisions/delivery.md).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateOfSources } from './source-state.ts';
import { runProgram } from './upgrade/run-program.ts';

/** Below the checkout: a folder for each state of the sources. */
const bundlesFolder = 'node_modules/.cache/srs-stack/servers';
/** Makes them, by a tool that comes with the one of the console. */
const maker = 'scripts/pack/bundle-checkout.ts';
const tool = 'node_modules/rolldown/package.json';
/** What Node preloads to have bundles in the place of sources; written last, so that its folder is complete. */
export const bundlesPreload = 'preload.mjs';
/** What the bundles are made of; the packages of others by the list of their versions. */
const packages = ['contract', 'engine', 'gateway', 'media', 'platform', 'process', 'programs', 'rtc', 'srt', 'stack'];
const inputs = [...packages.map((name) => `packages/${name}/src`), 'scripts/pack'];
const versions = 'package-lock.json';
/** A few seconds on a small machine; a start does not wait longer for what only saves time, milliseconds. */
const makeTimeoutMs = 120_000;
/** Bundles of other states that stay, 15 MB each: a product that runs loads parts of its own when they are first needed. */
const keptOthers = 4;

export interface ServerBundlesOptions {
  /** Absolute root of the checkout. */
  readonly checkout: string;
  /** Makes them when there are none; otherwise only those that are there count. */
  readonly makes: boolean;
  readonly say: (line: string) => void;
}

/** @returns absolute path of what Node preloads to load the servers from bundles; undefined: they are loaded from sources. */
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
    say(`The servers are loaded from their sources, which takes longer: ${(error as Error).message}`);
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
  // Who installs and who runs may be two users.
  await chmod(partial, 0o755);
  try {
    const options = { cwd: checkout, timeoutMs: makeTimeoutMs, endsWithCaller: true };
    await runProgram(process.execPath, [join(checkout, maker), partial], options);
    // Another start of the same checkout may have been faster.
    await rename(partial, folder).catch((error) => {
      if (!existsSync(join(folder, bundlesPreload))) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Marks this one as used, and removes what was not for longest; who may only read leaves it to others. */
async function keepNewest(place: string, folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
  const others = (await readdir(place)).map((name) => join(place, name)).filter((each) => each !== folder);
  if (others.length <= keptOthers) return;
  const aged = await Promise.all(others.map(async (each) => ({ each, atMs: (await stat(each)).mtimeMs })));
  const oldest = aged.toSorted((one, other) => other.atMs - one.atMs).slice(keptOthers);
  await Promise.all(oldest.map(({ each }) => rm(each, { recursive: true, force: true })));
}
