import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'srs-stack-lean-'));
});
afterEach(() => rmSync(place, { recursive: true }));

async function run(compiledCode: string): Promise<object[]> {
  const program = join(place, 'program.ts');
  const lean = fileURLToPath(new URL('lean-start.ts', import.meta.url));
  writeFileSync(
    program,
    `import { hasTypeStripper, startLean } from '${lean}';
     const say = (when: string) => console.log(JSON.stringify({ when, pid: process.pid, arg: process.argv[2], has: hasTypeStripper() }));
     say('begins');
     startLean([process.argv[1] ?? '', ...process.argv.slice(2)]);
     say('continues');`,
  );
  const env = { ...process.env, NODE_COMPILE_CACHE: compiledCode, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'x'], { env });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('a process that stripped types re-executes itself without the stripper, and only then continues', async () => {
  const printed = await run(join(place, 'compiled'));
  const { pid } = printed[0] as { pid: number };
  expect(printed).toEqual([
    { when: 'begins', pid, arg: 'x', has: true },
    { when: 'begins', pid, arg: 'x', has: false },
    { when: 'continues', pid, arg: 'x', has: false },
  ]);
});

test('re-executes once if compiled code cannot be stored', async () => {
  const printed = await run(join(place, 'program.ts', 'below-a-file'));
  expect(printed.map((each) => (each as { when: string }).when)).toEqual(['begins', 'begins', 'continues']);
});
