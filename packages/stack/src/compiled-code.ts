// Compiles every module of the servers before their first start, if there are no bundles (`server-bundles.ts`). Node stores the compiled
// code. Without it, a server would load Node's type stripper and keep 25 MB for it.
import { existsSync } from 'node:fs';
import { runProgram } from './upgrade/run-program.ts';

/** Timeout of the compilation, milliseconds. A fast machine needs half a second. Without compiled code a server only needs more memory. */
const compileTimeoutMs = 60_000;

export interface CompiledCodeOptions {
  /** Folder in which Node stores compiled code (`NODE_COMPILE_CACHE`). */
  readonly folder: string;
  /** Arguments of Node for each server, as at its start. */
  readonly servers: readonly (readonly string[])[];
}

/** Compiles the servers unless compiled code exists. Never rejects, because a broken server reports its error when it starts. */
export async function ensureCompiledCode({ folder, servers }: CompiledCodeOptions): Promise<void> {
  if (existsSync(folder)) return;
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  // With `--version`, a server loads all its modules and exits.
  const runs = servers.map((args) =>
    runProgram(process.execPath, [...args, '--version'], { env, timeoutMs: compileTimeoutMs }),
  );
  await Promise.allSettled(runs);
}
