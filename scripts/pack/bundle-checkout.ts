// Bundles of the servers for a checkout: everything is as with the sources (command lines, places of files, what is started by its path),
// but Node loads one file for each program. `node scripts/pack/bundle-checkout.ts <folder>`, which is below the checkout.
import { writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleEntries, bundleServers } from './bundle-servers.ts';

const extension = '.mjs';
/** As the start of the product knows it (`bundlesPreload`). */
const preloadName = 'preload.mjs';

/**
 * Makes the bundles in a folder that exists; resolves with the path of a module that, when Node preloads it (`--import`), has them loaded in
 * the place of their sources. Rejects with what could not be resolved or compiled.
 */
export async function bundleCheckout(checkout: string, folder: string): Promise<string> {
  const root = relative(folder, checkout);
  await bundleServers({ checkout, folder, root, extension });
  const sources = Object.entries(bundleEntries).map(([name, source]) => [join(root, source), `./${name}${extension}`]);
  const preload = join(folder, preloadName);
  writeFileSync(preload, preloadCode(sources));
  return preload;
}

/** `bundles`: where a source is and where its bundle, both from this module. */
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
