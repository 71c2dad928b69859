import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { collectGarbage } from '@srs-stack/process/garbage-collector.ts';
import { expect, it } from 'vitest';
import { returnFreeMemory } from '../src/free-memory.ts';

/** Size of a block, bytes. Larger blocks get separate mappings; blocks of this size stay in malloc's heap when they are freed. */
const blockBytes = 16_384;
const blocks = 4_000;
const mebibyte = 1024 ** 2;
const addonFile = fileURLToPath(new URL(`../prebuilt/${process.platform}-${process.arch}.node`, import.meta.url));

it('returns freed memory between used blocks to the system', () => {
  const all = Array.from({ length: blocks }, () => Buffer.alloc(blockBytes, 1));
  // The last block keeps the end of the heap in use.
  const last = all.splice(0).at(-1);
  collectGarbage('all');
  const before = process.memoryUsage.rss();
  returnFreeMemory();
  expect(before - process.memoryUsage.rss()).toBeGreaterThan(20 * mebibyte);
  expect(last?.[0]).toBe(1);
});

/** Runs a script in a new process, in which `addon` is the loaded addon. Returns its output. */
function run(script: string, options: readonly string[] = []): unknown {
  const load = `const { exports: addon } = module; process.dlopen(module, ${JSON.stringify(addonFile)});`;
  return JSON.parse(execFileSync(process.execPath, [...options, '-e', `${load}${script}`], { encoding: 'utf8' }));
}

it('unmaps pages of the program file, which are mapped again when they are used', () => {
  const [before, after, number] = run(`
    const status = () => require('node:fs').readFileSync('/proc/self/status', 'latin1');
    const fileKilobytes = () => Number(/^RssFile:\\s+(\\d+) kB$/m.exec(status())[1]);
    const before = fileKilobytes();
    addon.returnFreeMemory();
    const after = fileKilobytes();
    const number = new Intl.NumberFormat('de').format(1234.5);
    console.log(JSON.stringify([before, after, number]));`) as [number, number, string];
  expect((before - after) * 1024).toBeGreaterThan(10 * mebibyte);
  expect(number).toBe('1.234,5');
});

it('leaves code alone that is not mapped from the program file', (context) => {
  const [isMoved, doubled] = run(
    `const lines = require('node:fs').readFileSync('/proc/self/maps', 'latin1').trim().split('\\n');
    const isOfProgram = (line) => line.endsWith(process.execPath);
    const program = lines.slice(lines.findIndex(isOfProgram), lines.findLastIndex(isOfProgram));
    const isMoved = program.some((line) => / r-xp .* 0 *$/.test(line));
    addon.returnFreeMemory();
    console.log(JSON.stringify([isMoved, [1, 2].map((each) => each * 2)]));`,
    ['--use-largepages=on'],
  ) as [boolean, number[]];
  expect(doubled).toEqual([2, 4]);
  if (!isMoved) context.skip('this machine or Node has no large pages');
});
