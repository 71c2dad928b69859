// kill -9 at any time: every acknowledged write is present, nothing is partially written, no files are left over.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { openDataFolder } from '@srs-stack/process/data-folder.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { openEnvFile } from '../src/store/env-file.ts';
import { openStoreFile } from '../src/store/open-store.ts';

const writer = fileURLToPath(new URL('../src/testing/crash-writer.ts', import.meta.url));
const schema = z.object({ n: z.number(), filler: z.string() });
const rounds = 12;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Runs the writer, kills it at a random time after its first write, and returns the last acknowledged number. */
async function writeUntilKilled(root: string, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [writer, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = 0;
  const lines = createInterface({ input: child.stdout });
  const first = new Promise<void>((resolve) => lines.once('line', () => resolve()));
  lines.on('line', (line) => {
    last = Number(line);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([first, ended]);
  await sleep(delayMs);
  child.kill('SIGKILL');
  await ended;
  return last;
}

it('keeps store and settings file consistent when the process is killed at any moment', async () => {
  const root = await mkdtemp(join(tmpdir(), 'srs-crash-'));
  const random = seeded(20_260_102);
  const folder = await openDataFolder(root);
  await writeFile(join(folder.config, '.env'), '# kept\nRTMP_PORT=1936\n');
  try {
    let before = 0;
    for (let round = 0; round < rounds; round++) {
      const acknowledged = await writeUntilKilled(root, random() * 120);
      expect(acknowledged).toBeGreaterThan(before);
      const { store, damagedFile } = await openStoreFile(folder, new Date());
      expect(damagedFile).toBeUndefined();
      const { n } = await store.get({ key: 'counter', schema, empty: { n: 0, filler: '' }, secret: true });
      expect(n).toBeGreaterThanOrEqual(acknowledged);
      const rows = await store.collection({ name: 'rows', schema, secret: true }).entries();
      for (const row of rows.values()) expect(row.filler).toHaveLength(row.n % 5_000);
      await store.close();
      const password = await openEnvFile(join(folder.config, '.env')).readPassword();
      const written = Number(/^password (\d+)$/.exec(password ?? '')?.[1]);
      expect([n, n + 1]).toContain(written);
      expect(parseEnv(await readFile(join(folder.config, '.env'), 'utf8')).RTMP_PORT).toBe('1936');
      expect((await readdir(folder.config)).sort()).toEqual(['.env', 'store.key']);
      before = n;
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
