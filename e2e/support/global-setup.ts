// Runs once before the end-to-end tests: the product under test serves the console of these sources.
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../../packages/stack/src/console-build.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(): Promise<void> {
  if (process.env.CONSOLE_BUILD === 'off') return;
  await ensureConsoleBuild({ checkout, say: (line) => console.log(line) });
}
