// Switching to another release with real processes: working and broken releases, and power failures at every step.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nameOf, releaseFolders } from './release-folders.ts';
import { changeReleaseState, readReleaseState } from './release-state.ts';
import {
  type Behaviour,
  openReleaseRemotes,
  type ReleaseRemote,
  type ReleaseRemotes,
  writeRelease,
} from './testing/release-repository.ts';
import type { TrialStep } from './try-release.ts';

const product = fileURLToPath(new URL('testing/run-fake-product.ts', import.meta.url));
/** Time for the start of a process on a busy machine, milliseconds. Also the timeout for a release that hangs. */
const hangMs = '2000';

let remotes: ReleaseRemotes;
let remote: ReleaseRemote;
let dataDir: string;
const folders = () => releaseFolders(dataDir);
const starts = () => {
  const log = join(dataDir, 'starts.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
};
const setting = () => readFileSync(join(dataDir, 'config', 'setting'), 'utf8');
const state = () => readReleaseState(folders().state);

beforeAll(() => {
  remotes = openReleaseRemotes();
  remote = remotes.create();
});
afterAll(() => {
  rmSync(remote.root, { recursive: true });
  remotes.remove();
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'srs-stack-data-'));
  mkdirSync(join(dataDir, 'config'));
  mkdirSync(join(dataDir, 'run'));
  writeFileSync(join(dataDir, 'config', 'setting'), 'as set');
  const store = new DatabaseSync(join(dataDir, 'store.sqlite'));
  store.exec("CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('stored')");
  store.close();
});
const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0))
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close');
  rmSync(dataDir, { recursive: true });
});

let minor = 0;
function prepare(behaviour: Behaviour): { version: string; name: string } {
  minor += 1;
  const version = `2.${minor}.0`;
  const identity = { channel: 'stable' as const, version, commit: minor.toString(16).padStart(40, '0') };
  const name = nameOf(identity);
  writeRelease(folders().folderOf(name), { version, behaviour, files: { 'release.json': JSON.stringify(identity) } });
  return { version, name };
}

/** Starts the product. `serves` resolves when the checkout serves, `says` resolves with the first matching line. */
function start(environment: Record<string, string> = {}) {
  const env = { ...process.env, DATA_DIR: dataDir, CHECKOUT: remote.checkout, ...environment };
  const child = spawn(process.execPath, [product], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      for (const look of waiting) look();
    });
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const says = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const line = lines.find((each) => pattern.test(each));
        if (line === undefined) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      look();
      closed.then(() => reject(new Error(`ended without ${pattern}:\n${lines.join('\n')}`)), reject);
    });
  const stop = async () => {
    child.kill('SIGTERM');
    return (await closed)[0];
  };
  return { says, stop, closed };
}

function storedValue(): unknown {
  const store = new DatabaseSync(join(dataDir, 'store.sqlite'), { readOnly: true });
  try {
    return store.prepare('SELECT v FROM t').get()?.v;
  } finally {
    store.close();
  }
}

describe('a working release', () => {
  it('replaces the checkout, and the interruption is measured', async () => {
    const next = prepare('good');
    const run = start({ NEXT: next.name });
    await run.says(/step committed/);
    expect(starts()).toEqual(['checkout', next.version]);
    const { result, current, trial } = await state();
    expect({ current, trial }).toEqual({ current: next.name, trial: null });
    expect(result).toMatchObject({ outcome: 'upgraded', from: '1.0.0', to: { version: next.version } });
    expect(result?.interruptionMs).toBeGreaterThan(0);
    expect(await run.stop()).toBe(0);
  });

  it.each<TrialStep>(['ready', 'committed'])(
    'can be stopped when it was just %s, and remains selected',
    async (step) => {
      const next = prepare('good');
      expect(await start({ NEXT: next.name, STOP_AT: step }).closed).toEqual([0, null]);
      const { current, trial } = await state();
      expect({ current, trial }).toEqual({ current: next.name, trial: null });
    },
  );

  it('also runs after the next start, in the process that was started', async () => {
    const next = prepare('good');
    const first = start({ NEXT: next.name });
    await first.says(/step committed/);
    await first.stop();
    const again = start();
    await until(() => starts().length === 3);
    expect(starts()).toEqual(['checkout', next.version, next.version]);
    expect(await again.stop()).toBe(0);
  });

  it('is used at the start when it was prepared while nothing ran', async () => {
    const next = prepare('good');
    await changeReleaseState(folders().state, { next: next.name });
    const run = start();
    await run.says(/step committed/);
    expect(starts()).toEqual([next.version]);
    expect((await state()).result?.interruptionMs).toBeNull();
    await run.stop();
  });

  it('is replaced by a checkout that was updated manually', async () => {
    const first = start({ NEXT: prepare('good').name });
    await first.says(/step committed/);
    await first.stop();
    remote.release({ version: '1.0.1' });
    remote.git('-C', remote.checkout, 'pull', '--quiet');
    const again = start();
    await again.says(/updated manually/);
    await again.says(/serving/);
    expect(starts().at(-1)).toBe('checkout');
    expect((await state()).current).toBeNull();
    remote.git('-C', remote.checkout, 'reset', '--quiet', '--hard', 'v1.0.0');
  });

  it('that is missing is reported with the command that runs the checkout', async () => {
    const next = prepare('good');
    const first = start({ NEXT: next.name });
    await first.says(/step committed/);
    await first.stop();
    rmSync(folders().folderOf(next.name), { recursive: true });
    await start().says(new RegExp(`The release ${next.name} is missing in .* Delete .*state.json`));
  });
});

describe('a release that', () => {
  it.each<[string, Behaviour, string, RegExp]>([
    ['ends before it is ready', 'ends', 'ended', /the migration failed/],
    ['never gets ready', 'hangs', 'not-ready', /^$/],
    ['changes the state and then fails', 'migrates-and-ends', 'ended', /the migration failed/],
  ])('%s is rolled back automatically, with the previous state', async (_what, behaviour, reason, detail) => {
    const next = prepare(behaviour);
    const run = start({ NEXT: next.name, READY_WITHIN_MS: behaviour === 'hangs' ? hangMs : '60000' });
    await run.says(/serving/);
    expect(starts()).toEqual(['checkout', next.version, 'checkout']);
    expect(setting()).toBe('as set');
    expect(storedValue()).toBe('stored');
    const { result, current, trial } = await state();
    expect({ current, trial }).toEqual({ current: null, trial: null });
    expect(result).toMatchObject({ outcome: 'rolled-back', from: '1.0.0', to: { version: next.version } });
    expect(result?.problem?.reason).toBe(reason);
    expect(result?.problem?.detail).toMatch(detail);
    expect(result?.interruptionMs).toBeGreaterThan(0);
    expect(await run.stop()).toBe(0);
  });

  it('without a backup is never started', async () => {
    const next = prepare('good');
    writeFileSync(join(dataDir, 'store.sqlite'), 'damaged '.repeat(200));
    const run = start({ NEXT: next.name });
    await run.says(/serving/);
    expect(starts()).toEqual(['checkout', 'checkout']);
    expect((await state()).result?.problem?.reason).toBe('backup-failed');
  });
});

describe('after a power failure', () => {
  /** Step of the power failure, behaviour of the new release, and the release that the next start runs. */
  it.each<[TrialStep, Behaviour, 'old' | 'new']>([
    ['backed-up', 'good', 'new'],
    ['journalled', 'good', 'old'],
    ['started', 'good', 'old'],
    ['ready', 'good', 'old'],
    ['committed', 'good', 'new'],
    ['ended', 'migrates-and-ends', 'old'],
    ['restored', 'migrates-and-ends', 'old'],
    ['rolled-back', 'migrates-and-ends', 'old'],
  ])('when it was %s (%s), the %s release runs with all state', async (step, behaviour, expected) => {
    const next = prepare(behaviour);
    const cut = start({ NEXT: next.name, CUT_AT: step });
    expect((await cut.closed)[1]).toBe('SIGKILL');
    const startsBefore = starts().length;
    const again = start();
    await until(() => starts().length > startsBefore);
    if (expected === 'old') {
      await again.says(/serving/);
      expect((await state()).result).toMatchObject({ outcome: 'rolled-back' });
    } else {
      await until(async () => (await state()).current === next.name);
    }
    expect(starts().at(-1)).toBe(expected === 'old' ? 'checkout' : next.version);
    expect(setting()).toBe('as set');
    expect(storedValue()).toBe('stored');
    expect((await state()).trial).toBeNull();
    await again.stop();
  });
});

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
