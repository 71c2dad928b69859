// One runner for all tests. Projects: fast unit and package tests; the console's in a DOM; end-to-end tests of the product.
import { defineConfig } from 'vitest/config';

/** These tests wait for programs and sockets more than they compute: as many at a time as even a small machine has cores. */
const workers = 2;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['packages/console/**', '**/node_modules/**'],
          maxWorkers: workers,
          // Real programs on a busy machine: generous, because a hang is the only thing a limit can find.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      'packages/console',
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/support/global-setup.ts'],
          // One product, browser and set of encoders at a time, after all other tests.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
