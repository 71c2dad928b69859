// Makes JavaScript bundles of both servers, the supervisor and the operator's commands: Node strips no types in `node_modules`.
import { dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Bundle name → entry; `packages/stack/src/product-files.ts` and `srs-stack.mjs` know the names. */
const entries = {
  stack: 'packages/stack/src/main.ts',
  secret: 'packages/stack/src/print-secret.ts',
  health: 'packages/stack/src/health.ts',
  drain: 'packages/stack/src/drain.ts',
  'may-upgrade': 'packages/stack/src/may-upgrade.ts',
  'source-names': 'packages/stack/src/source-names.ts',
  'exit-with-parent': 'packages/stack/src/exit-with-parent.ts',
  gateway: 'packages/gateway/src/main.ts',
  platform: 'packages/platform/src/main.ts',
  'rebuild-records': 'packages/platform/src/rebuild-records.ts',
  'move-store': 'packages/platform/src/move-store.ts',
};

/** Packages with machine code stay packages. */
export const nativePackages = ['node-datachannel'];

/** Writes the bundles with source maps into `<folder>/servers`. Rejects with what could not be resolved or compiled. */
export async function bundleServers(checkout: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: checkout,
    platform: 'node',
    input: entries,
    external: nativePackages,
    experimental: { nativeMagicString: true },
    plugins: [placesOfSources(checkout)],
    onLog: (level, log, handle) => {
      // Packages of others hold conditions that never come true; what cannot be found is an error here.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && log.id && !log.id.includes('node_modules')) handle('error', log);
    },
  });
  try {
    await bundle.write({
      dir: join(folder, 'servers'),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      sourcemap: true,
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (source, map) => relative(checkout, resolve(dirname(map), source)),
    });
  } finally {
    await bundle.close();
  }
}

/**
 * Each source sees the address it has in a checkout, so that what it names relative to itself (`package.json`, the built
 * console) is found in the same places of the package. Bundles stand in one folder below the root of the package.
 */
function placesOfSources(checkout: string): Plugin {
  return {
    name: 'places-of-sources',
    transform(code, id, { magicString }) {
      if (id.includes('node_modules') || !code.includes('import.meta.')) return null;
      if (code.includes('import.meta.dirname')) this.error(`${id}: bundles keep import.meta.url alone`);
      const place = JSON.stringify(join('..', relative(checkout, id)));
      return { code: magicString!.replaceAll('import.meta.url', `new URL(${place}, import.meta.url)`) };
    },
  };
}
