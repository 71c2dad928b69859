// Prints the ten largest source files and functions, and the median file size. Never fails. Run: node scripts/size-report.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readModules } from './source-modules.ts';

/** A file with more lines is reviewed (`discussLines`), or must be split (`splitLines`). */
const discussLines = 300;
const splitLines = 500;
const shownEntries = 10;

export interface FunctionSize {
  readonly name: string;
  readonly lines: number;
}

const functionHead =
  /^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?\s+(\w+)|(?:private\s+|static\s+|async\s+|#)*(\w+)\s*(?:<[^>]*>)?\([^;]*$)/;
const notFunctions = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'await', 'super', 'expect', 'test']);

/** Sizes of functions and methods in formatted code, from the declaration to the closing brace with the same indentation. */
export function functionSizes(code: string): FunctionSize[] {
  const lines = code.split('\n');
  return lines.flatMap((line, start) => {
    const [, indent = '', named, method] = functionHead.exec(line) ?? [];
    const name = named ?? method;
    if (name === undefined || notFunctions.has(name) || (!named && !line.trimEnd().endsWith('{'))) return [];
    const length = lines.slice(start + 1).findIndex((next) => next === `${indent}}` || next === `${indent}},`);
    return length < 0 ? [] : [{ name, lines: length + 2 }];
  });
}

function top<T extends { lines: number }>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => b.lines - a.lines).slice(0, shownEntries);
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const modules = readModules(checkout, ['packages', 'scripts', 'e2e']).filter(({ path }) => !path.includes('.test.'));
  const files = modules.map(({ path }) => ({
    path,
    lines: readFileSync(join(checkout, path), 'utf8').trimEnd().split('\n').length,
  }));
  const functions = modules.flatMap(({ path, code }) => functionSizes(code).map((size) => ({ ...size, path })));
  const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
  console.log(`${files.length} files, median ${sizes[sizes.length >> 1]} lines`);
  for (const { path, lines } of top(files)) {
    const warning = lines >= splitLines ? '  split it' : lines >= discussLines ? '  discuss it' : '';
    console.log(`${String(lines).padStart(5)}  ${path}${warning}`);
  }
  console.log('Largest functions');
  for (const { path, name, lines } of top(functions)) console.log(`${String(lines).padStart(5)}  ${name}  ${path}`);
}
