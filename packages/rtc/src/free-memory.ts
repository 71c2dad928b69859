// Node and its libraries free memory that the C library keeps. This module returns such memory to the system
// (docs/decisions/performance.md).
import { addonProblem, loadAddon } from './native-addon.ts';

/** Returns free memory to the system, which takes milliseconds. Does nothing on machines that cannot load the addon. */
export function returnFreeMemory(): void {
  if (addonProblem() === undefined) loadAddon().returnFreeMemory();
}
