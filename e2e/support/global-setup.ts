// Runs once before the end-to-end tests: the product under test serves the console of these sources; the clip they publish.
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../../packages/stack/src/console-build.ts';
import { makeShortClip } from './ffmpeg.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

export default async function setup(): Promise<void> {
  makeShortClip();
  if (process.env.CONSOLE_BUILD === 'off') return;
  await ensureConsoleBuild({ checkout, say: (line) => console.log(line) });
}
