// Builds packages/srt as a standalone npm package without the workspace: JavaScript, types, README and licence. Run: npm run pack-srt --
// <folder>; then `npm publish <folder>`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const source = join(checkout, 'packages/srt');

/** Oldest supported Node: the first LTS release with all APIs of the package. */
const oldestNode = '>=20';

/** Fields of package.json that the published package keeps. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** Writes the package into `folder`, and creates the folder if needed. Throws an error with the compiler's output. */
export function packSrt(folder: string): void {
  mkdirSync(folder, { recursive: true });
  compile(join(source, 'tsconfig.pack.json'), join(folder, 'dist'));
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(checkout, 'LICENSE'), join(folder, 'LICENSE'));
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as Manifest;
  const manifest = {
    ...{ name, version, description, license },
    keywords: ['srt', 'secure reliable transport', 'live streaming', 'mpeg-ts', 'udp'],
    type: 'module',
    engines: { node: oldestNode },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    sideEffects: false,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function compile(project: string, outDir: string): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', project, '--outDir', outDir], { encoding: 'utf8' });
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout || (error as Error).message);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (!folder) {
    console.error('usage: npm run pack-srt -- <folder>');
    process.exit(1);
  }
  packSrt(folder);
  console.log(`${folder} contains the package. To publish it, run: npm publish ${folder}`);
}
