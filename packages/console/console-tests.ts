// The tests of the console as a project of the test runner. All files of a worker share one simulated browser page,
// which the setup file cleans after each test. A file that mocks a module gets its own page and modules.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { patience } from '../../scripts/test-run/patience.ts';
import { consolePatterns, selectedFiles } from '../../scripts/test-run/test-tiers.ts';
import { maxWorkers } from '../../scripts/test-run/workers.ts';
import viteConfig from './vite.config.ts';

const root = import.meta.dirname;
const files = selectedFiles(consolePatterns).map((path) => relative('packages/console', path));
const replacesModules = (file: string) =>
  /\bvi\.(?:mock|doMock|resetModules)\(/.test(readFileSync(join(root, file), 'utf8'));

/** @param isolate true for test files that mock modules, false for all other test files. */
export function consoleTests({ name, isolate }: { name: string; isolate: boolean }): ViteUserConfig {
  return mergeConfig(viteConfig, {
    test: {
      name,
      isolate,
      environment: 'happy-dom',
      environmentOptions: { happyDOM: { url: 'http://console.test/mgmt/' } },
      include: files.filter((file) => replacesModules(file) === isolate),
      maxWorkers,
      testTimeout: 60_000 * patience,
      setupFiles: ['../../scripts/test-run/wait-for-admission.ts', 'src/testing/setup.ts'],
      css: { modules: { classNameStrategy: 'non-scoped' } },
    },
  } satisfies ViteUserConfig);
}
