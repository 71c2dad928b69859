// Makes JavaScript bundles of both servers, the supervisor and the operator's commands: Node strips no types in `node_modules`.
// The package that `npm run pack` makes has them, and products of end-to-end tests start from such (`../test-run/product-bundles.ts`).
import { dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Bundle name → entry; `packages/stack/src/product-files.ts` and `srs-stack.mjs` know the names. */
export const bundleEntries = {
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

/**
 * V8 keeps the text of each loaded module in memory, with two bytes per character if one of them is beyond Latin-1. Lines stay, because
 * Node prints the whole line of an uncaught error.
 */
const asciiOnly = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } } as const;

/** Packages with machine code stay packages. */
export const nativePackages = ['node-datachannel'];

export interface BundleOptions {
  readonly checkout: string;
  /** Where the bundles go, with their source maps. */
  readonly folder: string;
  /** From there to the folder in which what the sources name lies as in a checkout. */
  readonly root: string;
  /** `product-files.ts` takes what ends in `.js` for the package. */
  readonly extension: '.js' | '.mjs';
}

/** Rejects with what could not be resolved or compiled. */
export async function bundleServers({ checkout, folder, root, extension }: BundleOptions): Promise<void> {
  const bundle = await rolldown({
    cwd: checkout,
    platform: 'node',
    input: bundleEntries,
    external: nativePackages,
    experimental: { nativeMagicString: true },
    plugins: [placesOfSources(checkout, root)],
    onLog: (level, log, handle) => {
      // Packages of others hold conditions that never come true; what cannot be found is an error here.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level === 'warn' && log.id && !log.id.includes('node_modules')) handle('error', log);
    },
  });
  try {
    await bundle.write({
      dir: folder,
      format: 'esm',
      entryFileNames: `[name]${extension}`,
      chunkFileNames: `[name]${extension}`,
      comments: false,
      minify: asciiOnly,
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
 * console) is found in the same places below `root`.
 */
function placesOfSources(checkout: string, root: string): Plugin {
  return {
    name: 'places-of-sources',
    transform(code, id, { magicString }) {
      if (id.includes('node_modules') || !code.includes('import.meta.')) return null;
      if (code.includes('import.meta.dirname')) this.error(`${id}: bundles keep import.meta.url alone`);
      const place = JSON.stringify(join(root, relative(checkout, id)));
      return { code: magicString!.replaceAll('import.meta.url', `new URL(${place}, import.meta.url)`) };
    },
  };
}
