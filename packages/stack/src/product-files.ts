// Locations of the product's parts. A checkout runs its sources or bundles of them, and builds its console when the sources change. The
// package of `npm run pack` contains bundles and a built console.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the package this module is JavaScript, in a checkout TypeScript. */
const isPacked = import.meta.filename.endsWith('.js');
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface ProductFiles {
  readonly mainOf: (server: string) => string;
  readonly exitWithParent: string;
  readonly nodeOptions: readonly string[];
  /** Absolute path of the script that runs the supervisor with a compile cache. Undefined if no types need to be stripped. */
  readonly starter: string | undefined;
  /** Absolute path of a preloaded module that names sources in stack traces of bundles. */
  readonly sourceNames: string;
  /** Whether the console can be rebuilt when its sources change. */
  readonly hasConsoleSources: boolean;
  readonly startCommand: string;
}

const checkoutFiles: ProductFiles = {
  mainOf: (server) => join(root, 'packages', server, 'src/main.ts'),
  exitWithParent: join(root, 'packages/stack/src/exit-with-parent.ts'),
  nodeOptions: [],
  starter: join(root, 'packages/stack/src/start.mjs'),
  sourceNames: join(root, 'packages/stack/src/source-names.ts'),
  hasConsoleSources: true,
  startCommand: 'npm start',
};

const packedFiles: ProductFiles = {
  mainOf: (server) => join(root, 'servers', `${server}.js`),
  exitWithParent: join(root, 'servers/exit-with-parent.js'),
  nodeOptions: ['--import', join(root, 'servers/source-names.js')],
  starter: undefined,
  sourceNames: join(root, 'servers/source-names.js'),
  hasConsoleSources: false,
  startCommand: 'srs-stack',
};

export const productFiles = isPacked ? packedFiles : checkoutFiles;
