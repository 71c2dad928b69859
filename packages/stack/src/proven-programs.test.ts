import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProvenPrograms } from './proven-programs.ts';
import { ensurePrograms } from './system-programs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'srs-stack-proven-'));
  for (const name of ['first', 'second']) mkdirSync(join(folder, name));
  install('second', 'one');
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(where: string, text: string): void {
  writeFileSync(join(folder, where, 'tool'), text);
  chmodSync(join(folder, where, 'tool'), 0o755);
}
const open = () =>
  openProvenPrograms(join(folder, 'proven.json'), [join(folder, 'first'), join(folder, 'second')].join(':'));

it('remembers a program across starts until its file changes or another one takes precedence', () => {
  expect(open().isProven(['tool'])).toBe(false);
  open().remember(['tool']);
  expect(open().isProven(['tool'])).toBe(true);
  expect(open().isProven(['tool', 'other'])).toBe(false);
  install('second', 'two');
  expect(open().isProven(['tool'])).toBe(false);
  open().remember(['tool']);
  install('first', 'two');
  expect(open().isProven(['tool'])).toBe(false);
  rmSync(join(folder, 'first/tool'));
  rmSync(join(folder, 'second/tool'));
  expect(open().isProven(['tool'])).toBe(false);
});

it.each(['', '[]', 'null', '{"tool":1}', '{'])('ignores the invalid record %j', (text) => {
  writeFileSync(join(folder, 'proven.json'), text);
  expect(open().isProven(['tool'])).toBe(false);
  open().remember(['tool']);
  expect(open().isProven(['tool'])).toBe(true);
});

it('skips the check at the next start, and never stores a missing program', async () => {
  let checks = 0;
  const tool = (isThere: boolean) => ({
    title: 'Tool 1.0',
    packages: [],
    commands: ['tool'],
    isPresent: () => {
      checks += 1;
      return isThere;
    },
  });
  const ensure = (isThere: boolean) =>
    ensurePrograms([tool(isThere)], { say: () => undefined, retryCommand: 'npm start', proven: open() });
  await expect(ensure(false)).rejects.toThrow('Tool 1.0 not found');
  expect(open().isProven(['tool'])).toBe(false);
  await ensure(true);
  checks = 0;
  await ensure(true);
  expect(checks).toBe(0);
});
