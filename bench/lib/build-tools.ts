// Compiles the load tools and the reference servers written in C.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const libraries: Record<string, readonly string[]> = {
  'load/flvload': [],
  'load/apiload': [],
  'load/srtload': ['-lsrt'],
  'bare/flv-fan-out': [],
  'bare/hls-serve': [],
};

/** Builds into `folder`. The output of the compiler is printed. @throws when a program does not compile. */
export function buildTools(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, link] of Object.entries(libraries)) {
    const source = fileURLToPath(new URL(`../${name}.c`, import.meta.url));
    execFileSync('gcc', ['-O2', '-Wall', '-o', join(folder, basename(name)), source, ...link], { stdio: 'inherit' });
  }
}
