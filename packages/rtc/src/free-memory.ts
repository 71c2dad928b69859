// Returns memory to the system that an idle process does not need: memory that Node and its libraries freed but the C library keeps, and
// pages of Node's program file, which the kernel maps again when they are used (docs/decisions/performance.md).
import { addonProblem, loadAddon } from './native-addon.ts';

/** Returns unused memory to the system, which takes milliseconds. Does nothing on machines that cannot load the addon. */
export function returnFreeMemory(): void {
  if (addonProblem() === undefined) loadAddon().returnFreeMemory();
}
