// `npm run gallery`: takes screenshots of every console page in every state, theme, language and size, into artifacts/gallery. Further
// arguments are passed to the test runner, e.g. `npm run gallery -- -t record` for a single page.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const args = ['run', '--project', 'e2e', 'e2e/gallery.test.ts', ...process.argv.slice(2)];
const env = { ...process.env, GALLERY: 'all' };
spawn(process.execPath, [vitest, ...args], { cwd: checkout, stdio: 'inherit', env }).once('exit', (code) => {
  process.exit(code ?? 1);
});
