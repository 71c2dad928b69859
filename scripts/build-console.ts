// `npm run build`: builds the console when its sources changed, so that a start finds it ready.
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../packages/stack/src/console-build.ts';

try {
  await ensureConsoleBuild({ checkout: fileURLToPath(new URL('..', import.meta.url)), say: console.log });
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
