// Configuration of all tests. Projects: unit and package tests; console tests in a DOM; end-to-end tests of the product. `TEST_TIER=quick`
// selects the files of `npm test`, and `TEST_TIER=rest` the further files of `npm run test:rest` (`scripts/test-run/test-tiers.ts`).
// Without `TEST_TIER`, all files run except `.long` files. docs/development/testing.md explains the tiers.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/test-run/longest-first.ts';
import { patience } from './scripts/test-run/patience.ts';
import { endToEndPatterns, selectedFiles, unitPatterns } from './scripts/test-run/test-tiers.ts';
import { maxWorkers } from './scripts/test-run/workers.ts';

/** With stored compiled code of earlier runs, programs under test start in a third of the time. */
const env = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/srs-stack-tests/compiled', import.meta.url)),
};
/** Tests that measure the handles or memory of their process. No other test may run in this process. */
const inOwnProcess = [
  'packages/process/src/young-generation.test.ts',
  'packages/process/src/idle-memory.test.ts',
  'packages/engine/test/rtc-handles.test.ts',
  'packages/gateway/src/control/loop-metrics.test.ts',
  'packages/media/src/containers/mpegts/ts-demuxer.test.ts',
];
const forAdmission = 'scripts/test-run/wait-for-admission.ts';
const endHungFile = 'scripts/test-run/end-hung-file.ts';
const unitFiles = selectedFiles(unitPatterns).filter((path) => !path.startsWith('packages/console/'));
// Timeouts are long, because tests start real programs on busy machines, and timeouts only detect hangs.
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
          // Each worker loads modules once for hundreds of short files. This is safe, because modules keep no state.
          isolate: false,
          include: unitFiles.filter((path) => !inOwnProcess.includes(path)),
        },
      },
      {
        test: {
          name: 'unit-isolated',
          ...unitTests,
          include: unitFiles.filter((path) => inOwnProcess.includes(path)),
        },
      },
      'packages/console/vitest.config.ts',
      'packages/console/vitest.isolated.config.ts',
      {
        test: {
          name: 'e2e',
          env,
          maxWorkers,
          isolate: false,
          include: selectedFiles(endToEndPatterns),
          globalSetup: ['e2e/support/global-setup.ts'],
          setupFiles: [forAdmission, 'e2e/support/keep-failures.ts', endHungFile],
          ...timeouts(100_000),
        },
      },
    ],
  },
});
