// One runner for all tests. Projects: fast unit and package tests; the console's in a DOM; end-to-end tests of the product.
// `TEST_TIER=rest` runs what `npm run test:rest` adds to `npm test`; docs/testing.md says what is in which tier, and why.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/test-run/longest-first.ts';
import { patience } from './scripts/test-run/patience.ts';
import { maxWorkers } from './scripts/test-run/workers.ts';

const isRest = process.env.TEST_TIER === 'rest';
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
/** They count what a process holds, handles or memory: nobody else's may be in it. */
const inOwnProcess = [
  'packages/process/src/young-generation.test.ts',
  'packages/process/src/memory-at-rest.test.ts',
  'packages/engine/test/rtc-handles.test.ts',
  'packages/gateway/src/control/loop-figures.test.ts',
  'packages/media/src/containers/mpegts/ts-demuxer.test.ts',
];
const forAdmission = 'scripts/test-run/wait-for-admission.ts';
const endHungFile = 'scripts/test-run/end-hung-file.ts';
const endToEnd = isRest ? [...withFullLength, 'e2e/**/*.long.test.ts'] : ['e2e/**/*.test.ts'];
const notQuick = isRest ? [] : ['**/*.long.test.ts'];
// Real programs on a busy machine: generous, because a hang is the only thing a limit can find.
const timeouts = (limitMs: number) => ({ testTimeout: limitMs * patience, hookTimeout: limitMs * patience });
const unitTests = {
  env,
  maxWorkers,
  setupFiles: [forAdmission, 'scripts/test-run/patient-waits.ts', endHungFile],
  ...timeouts(60_000),
};

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
          maxWorkers,
          isolate: false,
          include: endToEnd,
          exclude: [nodeModules, ...notQuick],
          globalSetup: ['e2e/support/global-setup.ts'],
          setupFiles: [forAdmission, 'e2e/support/keep-failures.ts', endHungFile],
          ...timeouts(100_000),
        },
      },
    ],
  },
});
