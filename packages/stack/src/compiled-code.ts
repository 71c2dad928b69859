// Code of the servers that Node has compiled is kept between starts. A server that finds none loads Node's type stripper and keeps it,
// 25 MB, for as long as it runs; therefore the very first start has every module compiled before, while the console is built.
import { existsSync } from 'node:fs';
import { runProgram } from './upgrade/run-program.ts';

/** Half a second on a fast machine; a start does not wait longer for what only saves memory, milliseconds. */
const compileTimeoutMs = 60_000;

export interface CompiledCodeOptions {
  /** Where Node keeps compiled code (`NODE_COMPILE_CACHE`). */
  readonly folder: string;
  /** Arguments of Node for each server, as it will be started. */
  readonly servers: readonly (readonly string[])[];
}

/** Compiles the servers when nothing is compiled yet. Never rejects: a server that cannot be loaded says so at its start. */
export async function ensureCompiledCode({ folder, servers }: CompiledCodeOptions): Promise<void> {
  if (existsSync(folder)) return;
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  // A server that is asked for its version has loaded every module.
  const runs = servers.map((args) =>
    runProgram(process.execPath, [...args, '--version'], { env, timeoutMs: compileTimeoutMs }),
  );
  await Promise.allSettled(runs);
}
