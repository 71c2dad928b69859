// Checks the code style of the servers with rules over syntax trees. docs/decisions/idiom.md has the reasons. Run: node
// scripts/check-idiom.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import type { Violation } from './check-layers.ts';
import { lineOf, readModules } from './source-modules.ts';

/**
 * Maximum number of changing variables that a function may share with the functions it returns. A function with more is a state machine and
 * must be a class.
 */
const mostChanging = 2;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [name: string]: unknown;
}

interface IdiomRule {
  readonly name: string;
  readonly breaks: (node: Node, text: string) => string | undefined;
}

const rules: readonly IdiomRule[] = [
  {
    name: 'use #name for members that only the class uses; only a constructor may be private',
    breaks: ({ accessibility, kind }) =>
      accessibility && kind !== 'constructor' ? `a class member is ${String(accessibility)}` : undefined,
  },
  {
    name: `the functions that a function returns share at most ${mostChanging} changing variables; with more, write a class`,
    breaks: (node) => {
      const changing = changingStateOf(node);
      return changing.length > mostChanging ? `a function keeps changing variables: ${changing.join(', ')}` : undefined;
    },
  },
  {
    name: 'a class extends no other class of this code, except errors',
    breaks: ({ type, superClass }, text) => {
      const parent = type === 'ClassDeclaration' && isNode(superClass) ? String(superClass.name) : undefined;
      const isOwn = parent !== undefined && new RegExp(`\\bimport [^;]*\\b${parent}\\b[^;]*from '\\.`).test(text);
      return isOwn && !parent.endsWith('Error') ? `extends ${parent}` : undefined;
    },
  },
  {
    name: 'node:http is imported for its types only; values come from process/node-http.ts, which saves 6 MB per process',
    breaks: ({ type, importKind, specifiers, source }) => {
      if (type !== 'ImportDeclaration' || importKind === 'type') return undefined;
      if ((source as unknown as { value: string }).value !== 'node:http') return undefined;
      const values = (specifiers as readonly Node[]).filter((each) => each.importKind !== 'type');
      return values.length > 0 ? 'a module imports values of node:http' : undefined;
    },
  },
];

/** All violations in a module. */
export function findIdiomViolations(path: string, text: string): Violation[] {
  const found: Violation[] = [];
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown, (node) => {
    for (const { name, breaks } of rules) {
      const what = breaks(node, text);
      if (what) found.push({ rule: name, place: `${path}:${lineOf(text, node.start)}`, what });
    }
  });
  return found;
}

/** The `let` variables of a function that returns an object with functions. Empty for any other function. */
function changingStateOf({ type, body }: Node): string[] {
  if (!/Function/.test(type) || !isNode(body) || !Array.isArray(body.body)) return [];
  const statements = body.body as readonly Node[];
  const last = statements.at(-1);
  if (last?.type !== 'ReturnStatement' || !isNode(last.argument) || !hasMethods(last.argument)) return [];
  return statements
    .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'let')
    .flatMap(({ declarations }) => declarations as readonly { id: { name: string } }[])
    .map(({ id }) => id.name);
}

function hasMethods({ type, properties }: Node): boolean {
  if (type !== 'ObjectExpression') return false;
  return (properties as readonly Node[]).some(({ value }) => isNode(value) && /Function/.test(value.type));
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit);
  if (!isNode(value)) return;
  visit(value);
  for (const child of Object.values(value)) if (typeof child === 'object') walk(child, visit);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const modules = readModules(checkout, ['packages', 'scripts', 'fuzz']).filter(
    ({ path }) => !/^packages\/console\/|\.test\.ts$|\/test(?:ing)?\//.test(path),
  );
  const violations = modules.flatMap(({ path }) =>
    findIdiomViolations(path, readFileSync(join(checkout, path), 'utf8')),
  );
  for (const { place, rule, what } of violations) console.error(`${place} ${what}\n    rule: ${rule}`);
  console.log(`${modules.length} modules, ${violations.length} violations`);
  process.exit(violations.length > 0 || modules.length === 0 ? 1 : 0);
}
