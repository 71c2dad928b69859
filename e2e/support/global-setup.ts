// Runs once before the end-to-end tests: builds the console that the product under test serves.
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../../packages/stack/src/console-build.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(): Promise<void> {
  if (process.env.CONSOLE_BUILD === 'off') return;
  await ensureConsoleBuild({ checkout, say: (line) => console.log(line) });
}
