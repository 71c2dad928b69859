// Compiles every module of the servers at the first start, while the console is built. Node stores the compiled code; a server without it
// loads Node's type stripper and keeps it in memory, 25 MB.
import { existsSync } from 'node:fs';
import { runProgram } from './upgrade/run-program.ts';

/** Timeout of the compilation, milliseconds. It takes half a second on a fast machine and only saves memory. */
const compileTimeoutMs = 60_000;

export interface CompiledCodeOptions {
  /** Folder in which Node stores compiled code (`NODE_COMPILE_CACHE`). */
  readonly folder: string;
  /** Arguments of Node for each server, the same as at its start. */
  readonly servers: readonly (readonly string[])[];
}

/** Compiles the servers unless compiled code exists. Never rejects: a server that cannot be loaded reports this at its start. */
export async function ensureCompiledCode({ folder, servers }: CompiledCodeOptions): Promise<void> {
  if (existsSync(folder)) return;
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  // With `--version`, a server loads all its modules and exits.
  const runs = servers.map((args) =>
    runProgram(process.execPath, [...args, '--version'], { env, timeoutMs: compileTimeoutMs }),
  );
  await Promise.allSettled(runs);
}
