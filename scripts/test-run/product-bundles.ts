// Bundles the servers once per test run from the current sources: a start of the product needs half the CPU time. Everything else is as in
// a checkout: command lines, file locations, programs started by path.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleCheckout } from '../pack/bundle-checkout.ts';

/**
 * Writes the bundles; resolves with the URL of the module that Node preloads (`--import`). Rejects when something cannot be resolved or
 * compiled.
 */
export async function bundleProduct(checkout: string): Promise<string> {
  const folder = join(checkout, 'node_modules/.cache/srs-stack-tests/bundles');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return pathToFileURL(await bundleCheckout(checkout, folder)).href;
}
