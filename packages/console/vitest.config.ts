import { availableParallelism } from 'node:os';
import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      name: 'console',
      environment: 'happy-dom',
      environmentOptions: { happyDOM: { url: 'http://console.test/mgmt/' } },
      include: ['src/**/*.test.{ts,tsx}'],
      // As in the configuration above, see there.
      maxWorkers: Math.min(8, 2 * availableParallelism()),
      testTimeout: 60_000,
      setupFiles: ['src/testing/setup.ts'],
      css: { modules: { classNameStrategy: 'non-scoped' } },
    },
  }),
);
