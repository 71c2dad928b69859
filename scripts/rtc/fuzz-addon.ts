// Fuzzes the addon of `packages/rtc` with libFuzzer: `node scripts/rtc/fuzz-addon.ts [seconds] [corpus folder]`. Requires clang with
// compiler-rt, libssl-dev, and the header files that npm installs. If a problem is found, prints the input and exits with 1.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeHeaders } from './build-addon.ts';

const native = fileURLToPath(new URL('../../packages/rtc/native', import.meta.url));
const defaultSeconds = 60;
/** Maximum input, bytes: enough for a few datagrams and the steps between them. */
const maxInputBytes = 4_096;
/** Timeout per input, seconds. A handshake takes milliseconds, but a busy machine may pause for a while. */
const maxInputSeconds = 60;

/** C files of the addon that do not need Node. @param harness test files that replace sockets, clock and event loop. */
export function portSources(...harness: readonly string[]): string[] {
  const own = readdirSync(native).filter((name) => name.endsWith('.c') && name !== 'addon.c' && name !== 'runtime.c');
  return [...own.toSorted().map((name) => join(native, name)), ...harness.map((name) => join(native, 'test', name))];
}

/** Compiler options. Node's header files come last: OpenSSL is taken from Debian, only libuv from Node. */
export const harnessOptions = [
  ...['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-g', '-O2', '-fno-sanitize-recover=all'],
  ...['-idirafter', nodeHeaders, '-Wl,--wrap=sendmsg,--wrap=sendmmsg'],
];
export const harnessLibraries = ['-lssl', '-lcrypto'];

/** The reason why the fuzz target cannot be built here; undefined if it can. */
export function fuzzObstacle(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rtc-fuzz-'));
  const probe = join(folder, 'probe.c');
  writeFileSync(
    probe,
    '#include <openssl/ssl.h>\nint LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return b && n ? 0 : 0; }\n',
  );
  const { status } = spawnSync('clang', ['-fsanitize=fuzzer,address', probe, '-o', join(folder, 'probe')]);
  if (status !== 0) return 'clang with libFuzzer or the package libssl-dev is missing';
  return existsSync(join(nodeHeaders, 'uv.h')) ? undefined : 'the header files of Node are missing';
}

/** Builds the fuzz target. Prints the compiler's output, and throws an error if the compilation fails. */
export function buildFuzzTarget(file: string): void {
  const sources = portSources('fuzz-port.c', 'two-ports.c', 'fake-uv.c');
  const options = [...harnessOptions, '-fsanitize=fuzzer,address,undefined'];
  execFileSync('clang', [...options, '-o', file, ...sources, ...harnessLibraries], { stdio: 'inherit' });
}

/** Writes inputs for each state. An input starts with the number of the state, followed by steps of `native/test/fuzz-port.c`. */
function writeSeeds(folder: string): void {
  const [inject, elsewhere, toClient, check, deliver, changed, repeat, , wait, send, close, claim, fragment] =
    Array(13).keys();
  const bytes = (...list: (number | undefined)[]) => Buffer.from(list as number[]);
  const framed = (step: number | undefined, datagram: Buffer) =>
    Buffer.concat([bytes(step, datagram.length >> 8, datagram.length), datagram]);
  const alert = Buffer.from('15fefd000000000000000900020228', 'hex');
  const hello = Buffer.from(
    `16fefd0000000000000000${'003601000036000000000000002a'}${'fefd'.padEnd(68, '0')}000000020000`,
    'hex',
  );
  const media = Buffer.concat([bytes(0x80, 96, 0, 1), Buffer.alloc(60, 7)]);
  const steps = [
    ...[framed(inject, alert), framed(inject, hello), framed(elsewhere, media), framed(toClient, alert)],
    ...[
      bytes(check, 1, 0, 8, 0, 0x25, 0, 0, 0x80, 0x2a, 0, 0),
      bytes(deliver),
      bytes(changed, 0, 1, 0, 20, 9),
      bytes(repeat),
    ],
    ...[
      bytes(wait, 10),
      Buffer.concat([bytes(send, 1, 0, media.length), media]),
      bytes(close, 1),
      bytes(claim, 0, 3, 0, 1),
    ],
  ];
  const inFragments = Array.from({ length: 12 }, () => bytes(fragment, 90, fragment, 90, deliver, deliver));
  writeFileSync(join(folder, 'in-fragments'), Buffer.concat([bytes(1), ...inFragments]));
  for (let state = 0; state < 4; state++) {
    writeFileSync(join(folder, `state-${state}`), Buffer.concat([bytes(state), ...steps]));
    const withDelivery = steps.flatMap((step) => [step, bytes(deliver), bytes(deliver)]);
    writeFileSync(join(folder, `delivered-${state}`), Buffer.concat([bytes(state), ...withDelivery]));
    for (const [index, step] of steps.entries())
      writeFileSync(join(folder, `state-${state}-${index}`), Buffer.concat([bytes(state), step, bytes(deliver)]));
  }
}

/** Runs the fuzz target. Returns its result and statistics. */
export function runFuzzTarget(file: string, seconds: number, corpus: string) {
  mkdirSync(corpus, { recursive: true });
  writeSeeds(corpus);
  const options = [`-max_total_time=${seconds}`, `-max_len=${maxInputBytes}`, `-timeout=${maxInputSeconds}`];
  const { status, stderr } = spawnSync(
    file,
    [...options, '-print_final_stats=1', `-artifact_prefix=${corpus}-`, corpus],
    {
      encoding: 'utf8',
      maxBuffer: 1e9,
    },
  );
  return { status, errors: stderr };
}

if (import.meta.main) {
  const [seconds = String(defaultSeconds), corpus] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'rtc-fuzz-'));
  const file = join(folder, 'fuzz-port');
  buildFuzzTarget(file);
  const { status, errors } = runFuzzTarget(file, Number(seconds), corpus ?? join(folder, 'corpus'));
  console.log(errors.split('\n').slice(-40).join('\n'));
  process.exitCode = status === 0 ? 0 : 1;
}
