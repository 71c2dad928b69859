// Runs a TypeScript file of the checkout with Node 24 or newer, whatever version npm itself runs on. Usage: node
// packages/stack/src/start.mjs <file> [arguments]
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInstalledNode, runWithRightNode } from './right-node.mjs';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const [file = 'packages/stack/src/main.ts', ...args] = process.argv.slice(2);

await runWithRightNode({
  file: resolve(checkout, file),
  args,
  installedNode: findInstalledNode(import.meta.url),
  compileCache: join(checkout, 'node_modules/.cache/srs-stack'),
  advice: 'Run npm ci (it brings one on Linux x64 and arm64) or install it from https://nodejs.org.',
});
