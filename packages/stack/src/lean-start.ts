// A process that strips types of even one file keeps Node's type stripper in memory, 12 MB and more. The supervisor strips types at the
// first start of a checkout. When everything is prepared and compiled, it re-executes itself: same process id, same terminal, but without
// the memory of the preparation.
import { flushCompileCache } from 'node:module';

/** Marks the re-executed process, so that it does not re-execute again if compiled code cannot be stored. */
const markVariable = 'SRS_STACK_BEGAN_AGAIN';
const stripper = 'NativeModule internal/deps/amaro/dist/index';

/** Whether this process has loaded Node's type stripper. */
export function hasTypeStripper(): boolean {
  // Missing in Node's types, but present in every release that strips types.
  const { moduleLoadList } = process as unknown as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes(stripper) ?? false;
}

/**
 * Re-executes this process, and then does not return. Returns immediately when that saves nothing, or when Node has no `execve`.
 * @param args arguments of Node, the first an absolute path.
 */
export function startLean(args: readonly string[]): void {
  const isSecond = process.env[markVariable] === '1';
  delete process.env[markVariable];
  if (isSecond || !process.execve || !hasTypeStripper()) return;
  flushCompileCache();
  const own = [process.execPath, ...process.execArgv, ...args];
  process.execve(process.execPath, own, { ...process.env, [markVariable]: '1' });
}
