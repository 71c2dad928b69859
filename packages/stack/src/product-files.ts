// Where the parts of the product are. In a checkout the TypeScript sources run as they are, and the console is built when its
// sources change; the package that `npm run pack` makes has bundles and a console that is built already.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Bundling makes JavaScript of this module. */
const isPacked = import.meta.filename.endsWith('.js');
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface ProductFiles {
  /** Absolute path of what Node runs. */
  readonly mainOf: (server: string) => string;
  /** Absolute path of what Node preloads into servers. */
  readonly exitWithParent: string;
  /** Options of Node itself for every server. */
  readonly nodeOptions: readonly string[];
  /** Absolute path of what runs the supervisor with compiled code kept; undefined where there are no types to strip. */
  readonly starter: string | undefined;
  /** Absolute path of what Node preloads where servers are loaded from bundles. */
  readonly sourceNames: string;
  /** The console can be built, and is when its sources change. */
  readonly hasConsoleSources: boolean;
  /** What the operator types to start. */
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
