// Bundles the servers of a checkout, so that Node loads few files per program. Command lines, file locations and programs started by path
// stay the same as with the sources. Run: `node scripts/pack/bundle-checkout.ts <folder>`. The folder must be below the checkout.
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleEntries, bundleServers } from './bundle-servers.ts';

const extension = '.mjs';
/** The value of `bundlesPreload` in `packages/stack`. */
const preloadName = 'preload.mjs';

/**
 * Writes the bundles into an existing folder. Resolves with the path of a module for `--import`, which loads the bundles instead of the
 * sources. Rejects if an import or the compilation fails.
 */
export async function bundleCheckout(checkout: string, folder: string): Promise<string> {
  const root = relative(folder, checkout);
  await bundleServers({ checkout, folder, root, extension });
  const sources = Object.entries(bundleEntries).map(([name, source]) => [join(root, source), `./${name}${extension}`]);
  const preload = join(folder, preloadName);
  writeFileSync(preload, preloadCode(sources));
  return preload;
}

/** @param bundles pairs of a source path and a bundle path, relative to this module. */
const preloadCode = (bundles: readonly string[][]) => `
import { registerHooks } from 'node:module';
const address = (path) => new URL(path, import.meta.url).href;
const bundles = new Map(${JSON.stringify(bundles)}.map((each) => each.map(address)));
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const url = bundles.get(resolved.url);
    return url === undefined ? resolved : { ...resolved, url, format: 'module' };
  },
});
`;

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: node scripts/pack/bundle-checkout.ts <folder>');
  await bundleCheckout(fileURLToPath(new URL('../..', import.meta.url)), resolve(folder));
}
