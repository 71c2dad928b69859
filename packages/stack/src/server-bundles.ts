// The servers of a checkout, each loaded from one file instead of hundreds: this halves the work of a start, and of the restart of a killed
// server. The sources stay authoritative: a bundle is used only while every source file is unchanged, and if
// no bundle can be made, the sources are loaded (docs/decisions/delivery.md).
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stateOfSources } from './source-state.ts';
import { runProgram } from './upgrade/run-program.ts';

/** Below the checkout: one folder per state of the sources. */
const bundlesFolder = 'node_modules/.cache/srs-stack/servers';
/** The bundler, installed with that of the console. */
const maker = 'scripts/pack/bundle-checkout.ts';
const tool = 'node_modules/rolldown/package.json';
/** Module that Node preloads to load bundles instead of sources. Written last, so its presence means that the folder is complete. */
export const bundlesPreload = 'preload.mjs';
/** Inputs of the bundles; third-party packages by their lock file. */
const packages = ['contract', 'engine', 'gateway', 'media', 'platform', 'playback', 'process', 'rtc', 'srt', 'stack'];
const inputs = [...packages.map((name) => `packages/${name}/src`), 'scripts/pack'];
const versions = 'package-lock.json';
/** Timeout of bundling, milliseconds: it takes a few seconds on a small machine, and the servers also start without bundles. */
const makeTimeoutMs = 120_000;
/** Bundles of other states that are kept, 15 MB each: a running product loads parts of its bundle on demand. */
const keptOthers = 4;

export interface ServerBundlesOptions {
  /** Absolute root of the checkout. */
  readonly checkout: string;
  /** Makes them when missing; otherwise only existing ones are used. */
  readonly makes: boolean;
  readonly say: (line: string) => void;
}

/** @returns absolute path of the module that Node preloads to load the servers from bundles; undefined: load the sources. */
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
  // The user who installs and the user who runs may differ.
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

/** Marks this one as used and removes the least recently used ones; does nothing without write permission. */
async function keepNewest(place: string, folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
  const others = (await readdir(place)).map((name) => join(place, name)).filter((each) => each !== folder);
  if (others.length <= keptOthers) return;
  const aged = await Promise.all(others.map(async (each) => ({ each, atMs: (await stat(each)).mtimeMs })));
  const oldest = aged.toSorted((one, other) => other.atMs - one.atMs).slice(keptOthers);
  await Promise.all(oldest.map(({ each }) => rm(each, { recursive: true, force: true })));
}
