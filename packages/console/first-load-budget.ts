// Build step: fails when the login page or a watch page would load more script than its budget.
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

interface Budget {
  readonly page: string;
  /** Patterns of the page's entry and of the modules that must be loaded before the page can be used. */
  readonly parts: readonly RegExp[];
  /** Maximum size of the compressed scripts, bytes. */
  readonly bytes: number;
}

const budgets: readonly Budget[] = [
  {
    page: 'login page',
    // The app, the login page, and the texts of the login page in the language whose files are larger.
    parts: [
      /console\/index\.html$/,
      /src\/start\.tsx$/,
      /features\/login\/login-page\.tsx$/,
      /common\/locales\/zh\.json$/,
      /login\/locales\/zh\.json$/,
    ],
    // One second at 1.5 Mbit/s.
    bytes: 180 * 1024,
  },
  // A third of a second at 1.5 Mbit/s, because viewers leave sooner than operators.
  { page: 'watch page', parts: [/watch\/index\.html$/], bytes: 60 * 1024 },
];

/** Vite plugin that reports the size of the first load. Throws when the size exceeds its budget. */
export function firstLoadBudget(): Plugin {
  return {
    name: 'first-load-budget',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      for (const { page, parts, bytes: most } of budgets) {
        const first = chunks.filter(({ facadeModuleId }) => parts.some((part) => part.test(facadeModuleId ?? '')));
        const names = withImports(first, bundle);
        const bytes = [...names].reduce((sum, name) => sum + compressedSize(bundle[name]), 0);
        const report = `${page}: ${(bytes / 1024).toFixed(1)} KB of compressed script in ${names.size} files`;
        if (first.length < parts.length) this.error(`the ${page} was not found in the build (${report})`);
        if (bytes > most) this.error(`${report}, more than ${most / 1024} KB: ${[...names].join(', ')}`);
        this.info(report);
      }
    },
  };
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
