// Bundles both servers, the supervisor and the operator's commands as JavaScript. `npm run pack` needs bundles, because Node strips no
// types in `node_modules`. Starts of a checkout and end-to-end tests use them to save CPU time (`bundle-checkout.ts`).
import { dirname, join, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

/** Bundle name → entry. `packages/stack/src/product-files.ts` and `srs-stack.mjs` use these names. */
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
 * V8 keeps the text of loaded modules in memory, and needs two bytes per character if a character is beyond Latin-1. Line breaks are kept,
 * because Node prints the whole line of an uncaught error.
 */
const asciiOnly = { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } } as const;

/** Packages with native code are not bundled. */
export const nativePackages = ['node-datachannel'];

export interface BundleOptions {
  readonly checkout: string;
  readonly folder: string;
  /** Path from `folder` to the root of all files that sources reference. These files are arranged as in a checkout. */
  readonly root: string;
  /** With the extension `.js`, `product-files.ts` detects the package. */
  readonly extension: '.js' | '.mjs';
}

/** Bundles the servers. Rejects if an import or the compilation fails. */
export async function bundleServers({ checkout, folder, root, extension }: BundleOptions): Promise<void> {
  const bundle = await rolldown({
    cwd: checkout,
    platform: 'node',
    input: bundleEntries,
    external: nativePackages,
    experimental: { nativeMagicString: true },
    plugins: [placesOfSources(checkout, root)],
    onLog: (level, log, handle) => {
      // Unresolved imports are errors, and so are warnings about own code. Warnings about third-party packages are ignored, because these
      // contain conditions that are never true.
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
 * Each source keeps the `import.meta.url` that it has in a checkout. Files that a source references relative to itself (`package.json`, the
 * built console) are then found below `root`.
 */
function placesOfSources(checkout: string, root: string): Plugin {
  return {
    name: 'places-of-sources',
    transform(code, id, { magicString }) {
      if (id.includes('node_modules') || !code.includes('import.meta.')) return null;
      if (code.includes('import.meta.dirname'))
        this.error(`${id}: bundles support import.meta.url only, not import.meta.dirname`);
      const place = JSON.stringify(join(root, relative(checkout, id)));
      return { code: magicString!.replaceAll('import.meta.url', `new URL(${place}, import.meta.url)`) };
    },
  };
}
