// Compares code with other lists: error codes with docs/reference/errors.md, calls with the platform's routes, environment variables with
// docs/reference/configuration.md. Run: node scripts/check-catalogues.ts
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorDefinition, endpoints, errorCatalogue } from '@srs-stack/contract';

/** Compares the error catalogue with the table of docs/reference/errors.md, whose rows are `| code | name | status | … |`. */
export function compareErrorTable(catalogue: Record<string, ErrorDefinition>, table: string): string[] {
  const rows = new Map([...table.matchAll(/^\| (\d+) \| `(\w+)` \| (\d+) \|/gm)].map((row) => [row[2], row] as const));
  const problems = Object.entries(catalogue).flatMap(([name, { code, httpStatus }]) => {
    const row = rows.get(name);
    if (!row) return [`docs/reference/errors.md has no line for ${code} ${name}`];
    const agrees = row[1] === String(code) && row[3] === String(httpStatus);
    return agrees
      ? []
      : [`docs/reference/errors.md has another code or status for ${name}: expected ${code}, ${httpStatus}`];
  });
  const unknown = [...rows.keys()].filter((name) => name !== undefined && !(name in catalogue));
  return [
    ...problems,
    ...unknown.map((name) => `docs/reference/errors.md names ${name}, which is not in the catalogue`),
  ];
}

/** Codes that the catalogue contains more than once. */
export function repeatedCodes(catalogue: Record<string, ErrorDefinition>): string[] {
  const codes = Object.values(catalogue).map(({ code }) => code);
  const repeated = codes.filter((code, index) => codes.indexOf(code) !== index);
  return repeated.map((code) => `error code ${code} occurs twice`);
}

/** Names of `required` that are not words of `text`. */
export function missingWords(required: Iterable<string>, text: string): string[] {
  const words = new Set(text.match(/\w+/g));
  return [...required].filter((word) => !words.has(word));
}

/** Environment variables that a source file names: `CANDIDATE`, and strings, properties or keys in capitals with an underscore. */
export function environmentVariables(source: string): string[] {
  return [...source.matchAll(/(?:'|\.|^ {2})([A-Z][A-Z0-9]*_[A-Z0-9_]+|CANDIDATE)\b/gm)].map((match) => match[1] ?? '');
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
  const readAll = (pattern: string) => globSync(pattern, { cwd: checkout }).map(read).join('\n');
  const variables = new Set(
    ['packages/*/src/env.ts', 'packages/stack/src/environment.ts'].flatMap((path) =>
      environmentVariables(readAll(path)),
    ),
  );
  const routes = missingWords(Object.keys(endpoints), readAll('packages/platform/src/routes/**/*.ts'));
  const problems = [
    ...repeatedCodes(errorCatalogue),
    ...compareErrorTable(errorCatalogue, read('docs/reference/errors.md')),
    ...routes.map((name) => `the call ${name} has no route in the platform`),
    ...missingWords(variables, read('docs/reference/configuration.md')).map(
      (name) => `docs/reference/configuration.md does not explain ${name}`,
    ),
  ];
  for (const problem of problems) console.error(problem);
  const counts = `${Object.keys(errorCatalogue).length} errors, ${Object.keys(endpoints).length} calls, ${variables.size} variables`;
  console.log(`${counts}, ${problems.length} problems`);
  process.exit(problems.length > 0 || variables.size === 0 ? 1 : 0);
}
