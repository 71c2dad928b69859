// A process that strips the types of one single file loads Node's stripper and keeps it, 12 MB and more, for as long as it runs. So does the
// supervisor at the first start of a checkout. When all is prepared and compiled it begins again in its own place: same process id, same
// terminal, nothing of what the preparation loaded.
import { flushCompileCache } from 'node:module';

/** Says that this is the second beginning: where compiled code cannot be kept there is no third. */
const markVariable = 'SRS_STACK_BEGAN_AGAIN';
const stripper = 'NativeModule internal/deps/amaro/dist/index';

/** Whether this process carries Node's type stripper. */
export function hasTypeStripper(): boolean {
  // Not in the types of Node, and there in every release that strips types.
  const { moduleLoadList } = process as unknown as { moduleLoadList?: readonly string[] };
  return moduleLoadList?.includes(stripper) ?? false;
}

/**
 * Does not return when it begins again; returns at once when there is nothing to gain, or Node has no `execve`.
 * @param args what Node is to run, the first an absolute path.
 */
export function startLean(args: readonly string[]): void {
  const isSecond = process.env[markVariable] === '1';
  delete process.env[markVariable];
  if (isSecond || !process.execve || !hasTypeStripper()) return;
  flushCompileCache();
  const own = [process.execPath, ...process.execArgv, ...args];
  process.execve(process.execPath, own, { ...process.env, [markVariable]: '1' });
}
