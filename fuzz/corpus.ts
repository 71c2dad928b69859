// Inputs that failed once, by target. They run first as regression tests.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'corpus');

export function corpusOf(target: string): { name: string; input: Buffer }[] {
  try {
    const names = readdirSync(join(folder, target)).sort();
    return names.map((name) => ({ name, input: readFileSync(join(folder, target, name)) }));
  } catch {
    return [];
  }
}

/** Stores an input once. Returns the path of the file. */
export function keepInput(target: string, input: Buffer): string {
  const path = join(folder, target, `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.bin`);
  mkdirSync(join(folder, target), { recursive: true });
  writeFileSync(path, input);
  return path;
}
