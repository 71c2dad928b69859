import { expect, test } from 'vitest';
import { findIdiomViolations } from './check-idiom.ts';

const judge = (text: string) => findIdiomViolations('packages/a/src/a.ts', text).map(({ what }) => what);
const keeping = (variables: string) => `export function createA() { ${variables} return { read: () => 1 }; }`;

test.each([
  ['class A { private x = 1; }', 'a class member is private'],
  ['class A { protected read() {} }', 'a class member is protected'],
  ['const A = class { private static x = 1; };', 'a class member is private'],
  [keeping('let a = 1; let b = 2; let c = 3;'), 'a function keeps changing variables: a, b, c'],
  [
    'const open = async () => { let a = 1, b = 2, c = 3; return { read() {} }; };',
    'a function keeps changing variables: a, b, c',
  ],
  ["import { B } from './b.ts';\nclass A extends B {}", 'extends B'],
  ["import { request, type ServerResponse } from 'node:http';", 'a module imports values of node:http'],
])('reports the planted violation in %s', (text, what) => expect(judge(text)).toEqual([what]));

test.each([
  'class A { readonly #x = 1; private constructor() {} #read() {} }',
  keeping('let a = 1; let b = 2; const c = 3;'),
  'function count() { let a = 1; let b = 2; let c = 3; return a + b + c; }',
  "import { Readable } from 'node:stream';\nclass A extends Readable {}",
  "import { ProtocolError } from './protocol-error.ts';\nclass A extends ProtocolError {}",
  'function count() { let a = 1; let b = 2; let c = 3; return { a, b, c }; }',
  "import type { ServerResponse } from 'node:http';",
  "import { type IncomingMessage } from 'node:http';",
])('allows %s', (text) => expect(judge(text)).toEqual([]));

test('reports the line', () => {
  expect(findIdiomViolations('a.ts', 'class A {\n  private x = 1;\n}')[0]?.place).toBe('a.ts:2');
});
