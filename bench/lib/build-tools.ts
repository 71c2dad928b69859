// Compiles the load tools written in C.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libraries: Record<string, readonly string[]> = { flvload: [], apiload: [], srtload: ['-lsrt'] };

/** Builds into `folder`. @throws with the compiler's output. */
export function buildTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, link] of Object.entries(libraries)) {
    const source = fileURLToPath(new URL(`../load/${name}.c`, import.meta.url));
    execFileSync('gcc', ['-O2', '-Wall', '-o', join(folder, name), source, ...link], { stdio: 'inherit' });
  }
}
