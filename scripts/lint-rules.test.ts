// The rules of .oxlintrc.json, each with a violation that occurred or could occur in a server.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const declared = 'declare function work(): Promise<void>; declare const port: { ask?(): void | Promise<void> };\n';

/** A function with this number of lines, including its first and last. Comments and empty lines do not count. */
function functionOf(lines: number): string {
  return `export function long() {\n${'  // why\n\n  work().catch(() => {});\n'.repeat(lines - 2)}}`;
}

const violations: Readonly<Record<string, string>> = {
  'a promise that is not awaited': 'work();',
  'void before a promise': 'void work();',
  'void as the body of a function': 'export const go = () => void work();',
  'void before a value that is no promise': 'export const go = (list: number[]) => void list.push(1);',
  'a finally that rejects again': 'work().finally(() => {});',
  'a then without a handler': 'work().then(() => {});',
  'a promise of a Node module': "import { unlink } from 'node:fs/promises';\nunlink('x');",
  'a function that may return a promise': 'port.ask?.();',
  'an asynchronous listener': "process.on('exit', async () => work());",
  'a timer that ignores a promise': 'setInterval(() => work(), 1);',
  'a method without its object': 'class A { go() { return this; } } export const go = new A().go;',
  'a function of 51 lines': functionOf(51),
  'an unused private member': 'export class A { #x = 1; }',
};
const allowed: Readonly<Record<string, string>> = {
  'a handler': 'work().catch(() => {});',
  'two handlers': 'work().then(() => {}, () => {});',
  'a finally after a handler': 'work().catch(() => {}).finally(() => {});',
  'an awaited promise': 'await work();',
  'a function of 50 lines': functionOf(50),
};

let folder: string;
let found: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-promises-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(checkout, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  copyFileSync(join(checkout, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  copyFileSync(join(checkout, 'tsconfig.base.json'), join(folder, 'tsconfig.json'));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const cases = Object.entries({ ...violations, ...allowed });
  for (const [name, text] of cases) write(pathOf(name), `${declared}${text}\nexport {};\n`);
  write('packages/gateway/src/void.test.ts', `${declared}void work();\nexport {};\n`);
  const { stdout } = spawnSync(join(checkout, 'node_modules/.bin/oxlint'), ['--type-aware', '-f', 'unix', 'packages'], {
    cwd: folder,
    timeout: 30_000,
    encoding: 'utf8',
  });
  found = stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

function pathOf(name: string): string {
  return `packages/gateway/src/${name.replaceAll(' ', '-')}.ts`;
}

test.each(Object.keys(violations))('reports %s', (name) => expect(found).toContain(pathOf(name)));
test.each(Object.keys(allowed))('allows %s', (name) => expect(found).not.toContain(pathOf(name)));
test('allows void in a test', () => expect(found).not.toContain('void.test.ts'));
