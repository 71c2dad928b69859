// One runner for all tests. Projects: fast unit and package tests; the console's in a DOM; end-to-end tests of the product.
// `TEST_TIER=rest` runs what `npm run test:rest` adds to `npm test`; docs/testing.md says what is in which tier, and why.
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/test-run/longest-first.ts';
import { patience, slowness } from './scripts/test-run/patience.ts';

/** Tests wait for programs and sockets about as much as they compute: two files at a time for each core, eight at most. */
const workers = Math.min(8, 2 * availableParallelism());
/** Each of these has a whole product, often a browser and encoders too: this much memory, bytes. */
const endToEndBytes = 1.5 * 1024 ** 3;
const isRest = process.env.TEST_TIER === 'rest';
/** Slower machines compute more than they wait: with more files at a time all come later, and what is judged by the clock fails. */
const slowForThree = 1.1;
/** End-to-end files at a time for each core: they wait for media in real time. What `npm run test:rest` adds computes. Eight at most. */
const perCore = slowness > slowForThree ? 1.5 : isRest ? 2 : 3;
const endToEndWorkers = Math.max(
  1,
  Math.min(8, Math.ceil(perCore * availableParallelism()), Math.floor(totalmem() / endToEndBytes)),
);
/** Programs under test start in a third of the time when the last one left its compiled code to them. */
const env = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/srs-stack-tests/compiled', import.meta.url)),
};
const nodeModules = '**/node_modules/**';
/** They do more behind `npm test`: other languages (`e2e/support/length.ts`), every state. */
const withFullLength = [
  'gallery',
  'console',
  'console-first-run',
  'console-record',
  'console-settings',
  'console-forward',
  'console-vlive',
  'console-transcode',
  'monitor',
  'streams',
].map((name) => `e2e/${name}.test.ts`);
/**
 * They measure, fill a file system, or play in real time without a gap: what runs beside them would be judged too. Or they make network
 * interfaces: a browser that runs beside it sees the network change and gives up what it is loading.
 */
const alwaysAlone = [
  'console-budget',
  'upload-disk-full',
  'attacks.long',
  'kill-table.long',
  'renditions.long',
  'nodes-namespaces.long',
];
/** Several encoders and a browser work in real time at once: where the machine is slow, or has one processor, they come too late beside others. */
const aloneWhereSlow = ['matrix', 'low-latency-hls'];
const isSlow = slowness > slowForThree || availableParallelism() === 1;
const alone = [...alwaysAlone, ...(isSlow ? aloneWhereSlow : [])].map((name) => `e2e/${name}.test.ts`);
/** They count what a process holds, handles or memory: nobody else's may be in it. */
const inOwnProcess = [
  'packages/process/src/young-generation.test.ts',
  'packages/process/src/memory-at-rest.test.ts',
  'packages/engine/test/rtc-handles.test.ts',
  'packages/media/src/containers/mpegts/ts-demuxer.test.ts',
];
const endHungFile = 'scripts/test-run/end-hung-file.ts';
const isLong = (file: string) => file.endsWith('.long.test.ts');
const endToEnd = isRest ? [...withFullLength, 'e2e/**/*.long.test.ts'] : ['e2e/**/*.test.ts'];
const notQuick = isRest ? [] : ['**/*.long.test.ts'];
// Real programs on a busy machine: generous, because a hang is the only thing a limit can find.
const timeouts = (limitMs: number) => ({ testTimeout: limitMs * patience, hookTimeout: limitMs * patience });
/** The few long ones of `npm run test:rest` wait for leases: they run beside the end-to-end files, which take longer. */
const unitTests = {
  env,
  ...(isRest ? { maxWorkers: endToEndWorkers, sequence: { groupOrder: 1 } } : { maxWorkers: workers }),
  setupFiles: ['scripts/test-run/patient-waits.ts', endHungFile],
  ...timeouts(60_000),
};
const endToEndTimeouts = timeouts(100_000);

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...unitTests,
          // Hundreds of short files: what they import is loaded once for each worker. Modules keep no state.
          isolate: false,
          include: isRest
            ? ['packages/*/{src,test}/**/*.long.test.ts']
            : ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts', 'fuzz/*.test.ts'],
          exclude: ['packages/console/**', nodeModules, ...inOwnProcess, ...notQuick],
        },
      },
      ...(isRest ? [] : [{ test: { name: 'unit-isolated', ...unitTests, include: inOwnProcess } }]),
      ...(isRest ? [] : ['packages/console/vitest.config.ts', 'packages/console/vitest.isolated.config.ts']),
      {
        test: {
          name: 'e2e',
          env,
          isolate: false,
          include: endToEnd,
          exclude: [nodeModules, ...alone, ...notQuick],
          globalSetup: ['e2e/support/global-setup.ts'],
          setupFiles: ['e2e/support/keep-failures.ts', endHungFile],
          maxWorkers: endToEndWorkers,
          sequence: { groupOrder: 1 },
          ...endToEndTimeouts,
        },
      },
      {
        test: {
          name: 'e2e-alone',
          env,
          include: alone.filter((file) => (isRest ? isLong(file) || withFullLength.includes(file) : !isLong(file))),
          globalSetup: ['e2e/support/global-setup.ts'],
          setupFiles: ['e2e/support/keep-failures.ts', endHungFile],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...endToEndTimeouts,
        },
      },
    ],
  },
});
