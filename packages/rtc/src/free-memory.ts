// Returns memory to the system that Node and its libraries have freed, but that the C library keeps (docs/decisions/performance.md).
import { addonProblem, loadAddon } from './native-addon.ts';

/** Returns free memory to the system, which takes milliseconds. Does nothing on machines that cannot load the addon. */
export function returnFreeMemory(): void {
  if (addonProblem() === undefined) loadAddon().returnFreeMemory();
}
