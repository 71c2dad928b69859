// One runner for all tests. Projects: fast unit and package tests; the console's in a DOM; end-to-end tests of the product.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: ['packages/console/**', '**/node_modules/**'],
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
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
