// Build step: fails the build when opening the login page would fetch more script than its budget.
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Compressed bytes of script until the login page can be used: one second on a 1.5 Mbit/s line. */
const budgetBytes = 180 * 1024;
/** What the login page opens beyond the entry: the app, its own code and its texts in the larger language. */
const opened = [/src\/start\.tsx$/, /features\/login\/login-page\.tsx$/, /(common|login)\/locales\/zh\.json$/];

/** Vite plugin; reports the size of the first load and throws when it is over budget. */
export function firstLoadBudget(): Plugin {
  return {
    name: 'first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const first = chunks.filter(({ facadeModuleId }) => isFirst(facadeModuleId));
      const names = withImports(first, bundle);
      const bytes = [...names].reduce((sum, name) => sum + compressedSize(bundle[name]), 0);
      const report = `login page: ${(bytes / 1024).toFixed(1)} KB of compressed script in ${names.size} files`;
      if (first.length < opened.length + 2) this.error(`the login page was not found in the build (${report})`);
      if (bytes > budgetBytes) this.error(`${report}, more than ${budgetBytes / 1024} KB`);
      this.info(report);
    },
  };
}

function isFirst(moduleId: string | null): boolean {
  return moduleId !== null && (/console\/index\.html$/.test(moduleId) || opened.some((part) => part.test(moduleId)));
}

function withImports(first: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<string> {
  const names = new Set<string>();
  const add = (name: string) => {
    const output = bundle[name];
    if (names.has(name) || output?.type !== 'chunk') return;
    names.add(name);
    for (const imported of output.imports) add(imported);
  };
  for (const { fileName } of first) add(fileName);
  return names;
}

function compressedSize(output: Rolldown.OutputBundle[string] | undefined): number {
  return output?.type === 'chunk' ? gzipSync(output.code, { level: 9 }).length : 0;
}
