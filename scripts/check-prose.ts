// Checks that documentation and English console texts are plain technical English. `prose/known-problems.json` contains the number of old
// problems per file, which must never grow. Run: node scripts/check-prose.ts [--write] [file …]. With file names, all their problems are
// printed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flattenTexts } from './check-locales.ts';
import { lintMarkdown, lintTexts, type ProseProblem } from './prose/lint-prose.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const knownPath = join(checkout, 'scripts/prose/known-problems.json');
const patterns = ['*.md', 'packages/console/src/**/locales/en.json', 'packages/console/src/i18n/languages/en/*.json'];

type Counts = Readonly<Record<string, number>>;

/**
 * Returns the problems of each file with more problems than known, one per line. A file with known problems also gets a line with both
 * counts. Pure.
 */
export function judgeProse(found: ReadonlyMap<string, readonly ProseProblem[]>, known: Counts): string[] {
  return [...found].flatMap(([path, problems]) => {
    const allowed = known[path] ?? 0;
    if (problems.length <= allowed) return [];
    const lines = problems.map(({ line, message }) => `${path}:${line} ${message}`);
    return allowed === 0 ? lines : [`${path}: ${problems.length} problems, ${allowed} before. All of them:`, ...lines];
  });
}

/** The numbers to store, which never grow. Pure. */
export function keepCounts(found: ReadonlyMap<string, readonly ProseProblem[]>, known: Counts): Counts {
  const counts = [...found].map(([path, { length }]) => [path, Math.min(length, known[path] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function lintFile(path: string): Promise<ProseProblem[]> {
  const text = readFileSync(join(checkout, path), 'utf8');
  return path.endsWith('.md') ? lintMarkdown(text) : lintTexts(flattenTexts(JSON.parse(text)));
}

if (import.meta.main) {
  const [write, ...named] = process.argv.includes('--write') ? ['--write'] : [undefined, ...process.argv.slice(2)];
  const known = JSON.parse(readFileSync(knownPath, 'utf8')) as Counts;
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', ...patterns],
    {
      cwd: checkout,
      encoding: 'utf8',
    },
  );
  const found = new Map<string, ProseProblem[]>();
  for (const path of named.length > 0 ? named : listed.trim().split('\n')) {
    found.set(path, await lintFile(path));
  }
  if (write) {
    writeFileSync(knownPath, `${JSON.stringify(keepCounts(found, known), undefined, 2)}\n`);
  } else {
    const report = judgeProse(found, named.length > 0 ? {} : known);
    for (const line of report) console.error(line);
    if (report.length > 0) process.exitCode = 1;
  }
}
