// Builds the console again when its sources changed. A build is up to date when the hash of its inputs equals the stored hash. A new build
// replaces the whole folder by renaming, so a running server never serves an incomplete build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { notSource, stateOfSources } from './source-state.ts';

const consoleFolder = 'packages/console';
/** Inputs of the build, relative to the checkout. A folder includes all files below it, except tests and build output. */
const inputs = [consoleFolder, 'packages/contract/src', 'package-lock.json'];
/** Files beside the build: the hash of its inputs, and the file state of the inputs (`source-state.ts`) at the last comparison. */
const idFile = '.build-id';
const stateFile = '.build-inputs';
/** Number of last characters of a failed build's output that are kept, enough for the error. */
const keptOutputLength = 8_000;

export interface ConsoleBuildOptions {
  readonly checkout: string;
  readonly say: (line: string) => void;
}

/** Builds the console if the build is not up to date. @throws StartRefusal when the build fails. */
export async function ensureConsoleBuild({ checkout, say }: ConsoleBuildOptions): Promise<void> {
  const dist = join(checkout, consoleFolder, 'dist');
  const state = stateOfSources(checkout, inputs);
  if (await isFresh(dist, stateFile, state)) return;
  const buildId = await hashInputs(checkout);
  // Stores the state for the next start. If that fails, each start reads all inputs.
  const note = () => writeFile(join(dist, stateFile), `${state}\n`).catch(() => undefined);
  if (await isFresh(dist, idFile, buildId)) {
    await note();
    return;
  }
  if (!existsSync(viteOf(checkout))) {
    if (existsSync(join(dist, 'index.html'))) return;
    throw new StartRefusal('The console is not built and its build tool is not installed. Run npm ci first.');
  }
  say('Building the console (needed once per version) ...');
  await build(checkout, dist, buildId);
  await note();
}

async function isFresh(dist: string, file: string, expected: string): Promise<boolean> {
  const stored = await readFile(join(dist, file), 'utf8').catch(() => '');
  return stored.trim() === expected && existsSync(join(dist, 'index.html'));
}

async function build(checkout: string, dist: string, buildId: string): Promise<void> {
  const fresh = join(checkout, consoleFolder, `.build-${process.pid}`);
  const stale = `${fresh}-old`;
  try {
    await runVite(checkout, fresh);
    await writeFile(join(fresh, idFile), `${buildId}\n`);
    await rename(dist, stale).catch(() => undefined);
    await rename(fresh, dist);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await rm(stale, { recursive: true, force: true });
  }
}

function runVite(checkout: string, outDir: string): Promise<void> {
  const root = join(checkout, consoleFolder);
  const args = [viteOf(checkout), 'build', '--config', join(root, 'vite.config.ts'), '--outDir', outDir, root];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: checkout,
      // The mode of the caller must not change the build.
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keptOutputLength);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // Ends the build if the start is stopped.
    const end = () => child.kill();
    process.once('exit', end);
    child.once('close', (code) => {
      process.off('exit', end);
      if (code === 0) resolve();
      else reject(new StartRefusal(`The console cannot be built:\n${output.trim()}`));
    });
  });
}

function viteOf(checkout: string): string {
  return join(checkout, 'node_modules/vite/bin/vite.js');
}

async function hashInputs(checkout: string): Promise<string> {
  const lists = await Promise.all(inputs.map((input) => filesBelow(join(checkout, input))));
  const hash = createHash('sha256');
  for (const path of lists.flat().sort()) {
    hash
      .update(relative(checkout, path))
      .update('\0')
      .update(await readFile(path));
  }
  return hash.digest('hex');
}

async function filesBelow(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const names = (await readdir(path)).filter((name) => !notSource.test(name));
  return (await Promise.all(names.map((name) => filesBelow(join(path, name))))).flat();
}
