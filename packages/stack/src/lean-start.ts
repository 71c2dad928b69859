// Saves the memory of Node's type stripper, 12 MB and more, which stays loaded once a file had types. The supervisor strips types at the
// first start of a checkout. When everything is compiled, the supervisor re-executes itself, with the same process id and terminal.
import { flushCompileCache } from 'node:module';

/** Marks the re-executed process. Without the mark, it would re-execute endlessly if compiled code cannot be stored. */
const markVariable = 'SRS_STACK_BEGAN_AGAIN';
const stripper = 'NativeModule internal/deps/amaro/dist/index';

/** Whether this process has loaded Node's type stripper. */
export function hasTypeStripper(): boolean {
  // `moduleLoadList` is missing in Node's types, but exists in every release that strips types.
  const { moduleLoadList } = process as unknown as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes(stripper) ?? false;
}

/**
 * Re-executes this process. Returns only if the re-execution would save nothing, or if Node has no `execve`.
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
