import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadNodeId } from './node-id.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'srs-node-id-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

it('the node id is created once by the first process and never changes', async () => {
  const dataDir = await folder();
  const ids = await Promise.all(Array.from({ length: 8 }, () => loadNodeId(dataDir)));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(await loadNodeId(dataDir)).toBe(ids[0]);
  expect(await loadNodeId(await folder())).not.toBe(ids[0]);
});

it('a file with other content is refused with the remedy', async () => {
  const dataDir = await folder();
  await loadNodeId(dataDir);
  const path = join(dataDir, 'config', 'node.id');
  await writeFile(path, '../../etc\n');
  await expect(loadNodeId(dataDir)).rejects.toThrow(`${path} does not contain a node id`);
  expect(await readFile(path, 'utf8')).toBe('../../etc\n');
});
