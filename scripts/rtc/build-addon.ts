// Builds the addon of `packages/rtc` for its platforms: `node scripts/rtc/build-addon.ts [folder]`, by default into
// `packages/rtc/prebuilt`. Requires Debian 12's gcc, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross, and the header files of the product's
// Node, which npm installs. With these programs, every build is identical to the byte. `sourcesDigest` identifies the sources,
// `compilerVersions` the compilers.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../packages/rtc', import.meta.url));
const native = join(folder, 'native');
/** Header files of the Node that npm installs, including OpenSSL and libuv. They are equal for both architectures. */
export const nodeHeaders =
  process.env.NODE_HEADERS ??
  fileURLToPath(new URL(`../../node_modules/node-linux-${process.arch}/include/node`, import.meta.url));
export const prebuilt = join(folder, 'prebuilt');
export const digestFile = join(prebuilt, 'sources.sha256');
export const versionsFile = join(prebuilt, 'compiler.txt');

export const compilers = {
  'linux-x64': 'x86_64-linux-gnu-gcc',
  'linux-arm64': 'aarch64-linux-gnu-gcc',
} as const;

const common = [
  '-std=gnu11',
  '-Wall',
  '-Wextra',
  '-Wconversion',
  '-Werror',
  '-DNAPI_VERSION=9',
  '-fPIC',
  '-shared',
  '-fvisibility=hidden',
];
/** Adds bounds checks. The file contains no paths or times, so that builds are reproducible. */
const release = [
  '-O2',
  '-D_FORTIFY_SOURCE=2',
  '-fstack-protector-strong',
  '-Wl,-z,relro,-z,now',
  '-Wl,--build-id=none',
  '-s',
];
/** The addon stops at the first out-of-bounds access or undefined behaviour. */
const sanitized = ['-O1', '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];

export interface AddonBuild {
  readonly compiler: string;
  readonly file: string;
  readonly isSanitized?: boolean;
  readonly headers?: string;
}

/** Compiles the sources into a file. Prints the compiler's output, and throws an error if the compilation fails. */
export function buildAddon({ compiler, file, isSanitized = false, headers = nodeHeaders }: AddonBuild): void {
  const options = [
    ...common,
    ...(isSanitized ? sanitized : release),
    `-ffile-prefix-map=${native}=.`,
    '-isystem',
    headers,
  ];
  execFileSync(compiler, [...options, '-o', file, ...sourceFiles('.c')], {
    cwd: native,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** SHA-256 of the names and contents of all sources. */
export function sourcesDigest(): string {
  const hash = createHash('sha256');
  for (const name of [...sourceFiles('.c'), ...sourceFiles('.h')])
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(native, name)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Versions of the compilers and header files, one per line. Other versions produce different files. Throws if a compiler or header file is
 * missing.
 */
export function compilerVersions(): string {
  const versions = Object.values(compilers).map((compiler) => {
    const version = execFileSync(compiler, ['-dumpfullversion'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return `${compiler} ${version.trim()}`;
  });
  const header = readFileSync(join(nodeHeaders, 'node_version.h'), 'utf8');
  const numbers = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`define NODE_${part}_VERSION (\\d+)`).exec(header)?.[1],
  );
  return `${[...versions, `node.h ${numbers.join('.')}`].join('\n')}\n`;
}

function sourceFiles(extension: string): string[] {
  return readdirSync(native)
    .filter((name) => name.endsWith(extension))
    .toSorted();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target = prebuilt] = process.argv.slice(2);
  mkdirSync(target, { recursive: true });
  for (const [platform, compiler] of Object.entries(compilers))
    buildAddon({ compiler, file: join(target, `${platform}.node`) });
  writeFileSync(join(target, basename(digestFile)), `${sourcesDigest()}\n`);
  writeFileSync(join(target, basename(versionsFile)), compilerVersions());
}
