// One runner for all tests. Projects: fast unit and package tests; the console's in a DOM; end-to-end tests of the product.
// `TEST_TIER=quick` runs what `npm test` runs, `TEST_TIER=rest` what `npm run test:rest` adds (`scripts/test-run/test-tiers.ts`), and
// without it every file is found whose name has no `.long`. docs/development/testing.md says what is in which tier, and why.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/test-run/longest-first.ts';
import { patience } from './scripts/test-run/patience.ts';
import { endToEndPatterns, selectedFiles, unitPatterns } from './scripts/test-run/test-tiers.ts';
import { maxWorkers } from './scripts/test-run/workers.ts';

/** Programs under test start in a third of the time when the last one left its compiled code to them. */
const env = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/srs-stack-tests/compiled', import.meta.url)),
};
/** They count what a process holds, handles or memory: nobody else's may be in it. */
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
