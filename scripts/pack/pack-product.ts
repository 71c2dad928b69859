// `npm run pack`: builds the npm package of the product, for machines that have only Node and FFmpeg. Run: npm run pack -- [folder]. The
// default folder is `artifacts`.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsoleBuild } from '../../packages/stack/src/console-build.ts';
import { bundleServers, nativePackages } from './bundle-servers.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));

const files = {
  'packages/stack/src/srs-stack.mjs': 'bin/srs-stack.mjs',
  'packages/stack/src/right-node.mjs': 'bin/right-node.mjs',
  'packages/console/dist': 'packages/console/dist',
  'packages/rtc/prebuilt': 'packages/rtc/prebuilt',
  'scripts/pack/package-readme.md': 'README.md',
  'docs/reference/configuration.md': 'configuration.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
};

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Builds the package in `folder`, which is created if needed. Returns the path of the package's archive. */
export async function packProduct(folder: string): Promise<string> {
  const content = mkdtempSync(join(tmpdir(), 'srs-stack-pack-'));
  try {
    await ensureConsoleBuild({ checkout, say: console.log });
    await bundleServers({ checkout, folder: join(content, 'servers'), root: '..', extension: '.js' });
    for (const [from, to] of Object.entries(files)) {
      cpSync(join(checkout, from), join(content, to), { recursive: true });
    }
    chmodSync(join(content, 'bin/srs-stack.mjs'), 0o755);
    writeFileSync(join(content, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(checkout));
    writeFileSync(join(content, 'package.json'), `${JSON.stringify(manifest(), undefined, 2)}\n`);
    mkdirSync(folder, { recursive: true });
    const args = ['pack', '--silent', '--pack-destination', folder];
    return join(folder, execFileSync('npm', args, { cwd: content, encoding: 'utf8' }).trim());
  } finally {
    rmSync(content, { recursive: true, force: true });
  }
}

function manifest() {
  const { version, description, license, engines, optionalDependencies } = readManifest('package.json');
  const engine = readManifest('packages/engine/package.json').dependencies;
  return {
    ...{ name: 'srs-stack', version, description, license, type: 'module', engines },
    keywords: ['live streaming', 'rtmp', 'srt', 'webrtc', 'whip', 'whep', 'hls', 'http-flv', 'media server'],
    bin: { 'srs-stack': 'bin/srs-stack.mjs' },
    dependencies: Object.fromEntries(nativePackages.map((name) => [name, engine?.[name]])),
    optionalDependencies,
  };
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(checkout, path), 'utf8')) as Manifest;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await packProduct(resolve(process.argv[2] ?? join(checkout, 'artifacts'))));
}
