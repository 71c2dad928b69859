// `npm run build`: builds the console if its sources changed, and bundles the servers. The next start then has nothing to build.
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../packages/stack/src/console-build.ts';
import { ensureServerBundles } from '../packages/stack/src/server-bundles.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const say = console.log;

try {
  await Promise.all([ensureConsoleBuild({ checkout, say }), ensureServerBundles({ checkout, makes: true, say })]);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
