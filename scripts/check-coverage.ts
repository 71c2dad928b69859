// Measures how many lines of the packages `media` and `srt` their own tests cover, and fails below the minimum. Details:
// artifacts/coverage/<package>/index.html. Run: node scripts/check-coverage.ts
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const packages = ['media', 'srt'];
/** Minimum line coverage of a package by its tests, percent. Files with a lower coverage are listed. */
const leastPercent = 90;

interface LineCounts {
  readonly total: number;
  readonly pct: number;
}

/** Coverage from vitest by absolute path; the key `total` is the sum. */
type CoverageSummary = Readonly<Record<string, { readonly lines: LineCounts }>>;

function measure(name: string): CoverageSummary | undefined {
  const folder = join(checkout, 'artifacts/coverage', name);
  const coverage = [
    '--coverage.enabled',
    '--coverage.provider=v8',
    `--coverage.include=packages/${name}/src/**/*.ts`,
    '--coverage.exclude=**/testing/**',
    '--coverage.reporter=json-summary',
    '--coverage.reporter=html',
    `--coverage.reportsDirectory=${folder}`,
  ];
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--project=unit*', `packages/${name}/`, ...coverage],
    // V8 counts lines less precisely for code from the compile cache.
    { cwd: checkout, encoding: 'utf8', env: { ...process.env, TEST_TIER: '', NODE_DISABLE_COMPILE_CACHE: '1' } },
  );
  if (status === 0) return JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
  console.error(`${name}: its tests fail\n${stdout}${stderr}`);
  return undefined;
}

function judge(name: string): boolean {
  const summary = measure(name);
  if (summary === undefined) return false;
  const { total: whole, ...files } = summary;
  const isEnough = whole !== undefined && whole.lines.total > 0 && whole.lines.pct >= leastPercent;
  console.log(
    `${name}: ${whole?.lines.pct} % of ${whole?.lines.total} lines${isEnough ? '' : `, not ${leastPercent} %`}`,
  );
  const below = Object.entries(files).filter(([, { lines }]) => lines.total > 0 && lines.pct < leastPercent);
  for (const [path, { lines }] of below) console.log(`    ${relative(checkout, path)}: ${lines.pct} %`);
  return isEnough;
}

if (!packages.map(judge).every(Boolean)) process.exitCode = 1;
