// Runs a TypeScript file of the checkout with Node 24 or newer. Plain JavaScript, because an older Node must be able to
// read it: that one hands over to the Node which npm installed, or says in one sentence what is missing.
// Usage: node packages/stack/src/start.mjs <file> [arguments]
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const minimumMajor = 24;
const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const bundledNode = join(checkout, 'node_modules/.bin/node');
const [file = 'packages/stack/src/main.ts', ...args] = process.argv.slice(2);

if (Number.parseInt(process.versions.node, 10) >= minimumMajor) {
  // Types are stripped once per version of the code, not at every start: half a second and 30 MB less.
  module.enableCompileCache?.(join(checkout, 'node_modules/.cache/srs-stack'));
  process.argv.splice(1, 2, resolve(checkout, file));
  await import(pathToFileURL(resolve(checkout, file)).href);
} else if (existsSync(bundledNode)) {
  handOver();
} else {
  console.error(
    `Node ${minimumMajor} or newer is needed; this is ${process.version}. Run npm ci (it brings one on Linux x64 and arm64) or install it from https://nodejs.org.`,
  );
  process.exit(1);
}

function handOver() {
  const child = spawn(bundledNode, [resolve(checkout, file), ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(signal ? 1 : code));
}
