import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const checkout = join(import.meta.dirname, '../..');
/** A folder in which imports find the test runner. */
const parent = join(checkout, 'node_modules/.cache');
let folder: string;

beforeAll(() => {
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, 'hung-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('ends only the file in which a test hung, after that test', async () => {
  const hang = 'test("hangs", { timeout: 50, retry: 0 }, () => new Promise(() => undefined));';
  const fails = 'test("fails", { retry: 0 }, () => { throw new Error("no"); });';
  write('a.test.ts', `${fails}test("before", () => {});${hang}test("after", () => {});`);
  write('b.test.ts', 'test("elsewhere", () => {});');
  const setup = join(import.meta.dirname, 'end-hung-file.ts');
  write(
    'vitest.config.ts',
    `export default { test: { isolate: false, maxWorkers: 1, setupFiles: [${JSON.stringify(setup)}] } };`,
  );
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs');
  const lines = await new Promise<string>((resolve) => {
    execFile(process.execPath, [vitest, 'run', '--root', folder, '--reporter=tap-flat'], (_error, stdout) =>
      resolve(stdout),
    );
  });
  const results = [...lines.matchAll(/^(ok|not ok) .*> (\w+)(?: # (?:time=\S+|(SKIP)))?/gm)].map(
    ([, ok, title, skip]) => `${title}: ${skip ?? ok}`,
  );
  expect(results.sort()).toEqual(['after: SKIP', 'before: ok', 'elsewhere: ok', 'fails: not ok', 'hangs: not ok']);
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), name.startsWith('vitest') ? text : `import { test } from 'vitest';\n${text}`);
}
