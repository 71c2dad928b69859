// All checks that need no running product, and the function that runs them in parallel.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('..', import.meta.url));

export interface Check {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

export interface CheckResult extends Check {
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: number;
}

const script = (name: string) => ['node', join(checkout, 'scripts', name)] as const;

/**
 * Type-checks a project incrementally with one checker thread. With four threads, each would infer the contract's types again, which costs
 * two and a half times the CPU time. Projects are checked in parallel anyway.
 */
const types = (project: string) => {
  const memory = `node_modules/.cache/types/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return ['tsc', '-p', project, '--noEmit', '--checkers', '1', '--incremental', '--tsBuildInfoFile', memory] as const;
};

/**
 * Packages of the servers. oxlint checks them with stricter rules than Biome, because an unhandled rejection would end a server. Biome
 * allows `void` and has no types of Node's modules.
 */
const servers = [
  'contract',
  'engine',
  'gateway',
  'media',
  'platform',
  'playback',
  'process',
  'rtc',
  'srt',
  'stack',
].map((name) => `packages/${name}`);

/** Checks in the order in which they start, the slowest first. */
export const checks: readonly Check[] = [
  { name: 'types', command: types('tsconfig.json') },
  { name: 'types of the console', command: types('packages/console/tsconfig.json') },
  { name: 'types of the end-to-end tests', command: types('e2e/tsconfig.json') },
  { name: 'lint and format', command: ['biome', 'ci', '--colors=off', '.'] },
  { name: 'promises', command: ['oxlint', '--type-aware', ...servers] },
  { name: 'length of functions', command: ['oxlint', '.'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'layers', command: script('check-layers.ts') },
  { name: 'idiom', command: script('check-idiom.ts') },
  { name: 'features', command: script('check-features.ts') },
  { name: 'catalogues', command: script('check-catalogues.ts') },
  { name: 'prose', command: script('check-prose.ts') },
  { name: 'locales', command: script('check-locales.ts') },
  { name: 'limits', command: script('check-limits.ts') },
  { name: 'links of documents', command: script('check-links.ts') },
  { name: 'specification', command: script('check-specification.ts') },
  { name: 'addon', command: script('check-addon.ts') },
  { name: 'workflows', command: script('check-workflows.ts') },
];

/** Further checks, only for `npm run test:rest`. */
export const longChecks: readonly Check[] = [
  { name: 'coverage', command: script('check-coverage.ts') },
  { name: 'a minute of fuzzing', command: ['node', join(checkout, 'fuzz/fuzz.ts'), '--minutes', '1', '--seed', '7'] },
];

/** Runs one check per processor in parallel. `onResult` is called at the end of each check. */
export async function runChecks(
  list: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const waiting = [...list];
  const results: CheckResult[] = [];
  const runNext = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const result = await runCheck(check);
      results.push(result);
      onResult(result);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runNext));
  return results;
}

function runCheck(check: Check): Promise<CheckResult> {
  const [program, ...args] = check.command;
  const startedAt = performance.now();
  const path = [join(checkout, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: checkout,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const end = (passed: boolean) =>
      resolve({ ...check, passed, output: output.trim(), seconds: (performance.now() - startedAt) / 1000 });
    child.once('error', (error) => {
      output += error.message;
      end(false);
    });
    child.once('close', (code) => end(code === 0));
  });
}

/** Number of output lines that are shown of a failed check. Its command prints all lines. */
const shownLines = 40;

/** A passed check is one line. A failed check has its name, command and first lines of output. */
export function describeResult({ name, command, passed, output, seconds }: CheckResult): string {
  const line = `${passed ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`;
  if (passed) return line;
  const lines = output.split('\n');
  const shown = lines.slice(0, shownLines);
  if (lines.length > shownLines) shown.push(`... ${lines.length - shownLines} more lines`);
  return [`${line}: npx ${command.join(' ')}`, ...shown.map((text) => `    ${text}`)].join('\n');
}
