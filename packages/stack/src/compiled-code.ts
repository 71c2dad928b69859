// Node keeps compiled code of the servers between starts. A server without it loads Node's type stripper and keeps it in memory,
// 25 MB. Therefore the first start compiles every module in advance, while the console is built.
import { existsSync } from 'node:fs';
import { runProgram } from './upgrade/run-program.ts';

/** Timeout, milliseconds: takes half a second on a fast machine and only saves memory. */
const compileTimeoutMs = 60_000;

export interface CompiledCodeOptions {
  /** Where Node keeps compiled code (`NODE_COMPILE_CACHE`). */
  readonly folder: string;
  /** Arguments of Node for each server, as it will be started. */
  readonly servers: readonly (readonly string[])[];
}

/** Compiles the servers if nothing is compiled yet. Never rejects: a server that cannot be loaded reports it at its start. */
export async function ensureCompiledCode({ folder, servers }: CompiledCodeOptions): Promise<void> {
  if (existsSync(folder)) return;
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  // `--version` loads every module of a server.
  const runs = servers.map((args) =>
    runProgram(process.execPath, [...args, '--version'], { env, timeoutMs: compileTimeoutMs }),
  );
  await Promise.allSettled(runs);
}
