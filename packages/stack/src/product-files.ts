// Locations of the product's parts. In a checkout the TypeScript sources run directly, and the console is built when its sources change.
// The package of `npm run pack` contains bundles and a built console.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bundling converts this module to JavaScript, so the extension shows whether it is packed. */
const isPacked = import.meta.filename.endsWith('.js');
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface ProductFiles {
  /** Absolute path of the file that Node runs. */
  readonly mainOf: (server: string) => string;
  /** Absolute path of the module that Node preloads into servers. */
  readonly exitWithParent: string;
  /** Options of Node itself for every server. */
  readonly nodeOptions: readonly string[];
  /** Absolute path of the script that runs the supervisor with a compile cache; undefined if there are no types to strip. */
  readonly starter: string | undefined;
  /** Absolute path of the module that Node preloads to load servers from bundles. */
  readonly sourceNames: string;
  /** Whether the console can be rebuilt when its sources change. */
  readonly hasConsoleSources: boolean;
  /** The command with which the operator starts the product. */
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
