// Products of end-to-end tests load their servers from one file each, made once for a run of the tests from the same sources: a start
// takes half the work. Everything else is as in a checkout: command lines, places of files, what is started by its path.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCheckout } from '../pack/bundle-checkout.ts';

/** Makes the bundles; resolves with the address of what Node preloads (`--import`). Rejects with what could not be resolved or compiled. */
export async function bundleProduct(checkout: string): Promise<string> {
  const folder = join(checkout, 'node_modules/.cache/srs-stack-tests/bundles');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return pathToFileURL(await bundleCheckout(checkout, folder)).href;
}
