// Checks that lists kept in one place agree with everything that must follow them: error codes with docs/errors.md and the
// console's texts, calls with the platform's routes, environment variables with docs/configuration.md. Run: node scripts/check-catalogues.ts
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ErrorDefinition, endpoints, errorCatalogue, supportedLocales } from '@srs-stack/contract';

/** Compares the error catalogue with the table of docs/errors.md, rows `| code | name | status | … |`. */
export function compareErrorTable(catalogue: Record<string, ErrorDefinition>, table: string): string[] {
  const rows = new Map([...table.matchAll(/^\| (\d+) \| `(\w+)` \| (\d+) \|/gm)].map((row) => [row[2], row] as const));
  const problems = Object.entries(catalogue).flatMap(([name, { code, httpStatus }]) => {
    const row = rows.get(name);
    if (!row) return [`docs/errors.md has no line for ${code} ${name}`];
    const agrees = row[1] === String(code) && row[3] === String(httpStatus);
    return agrees ? [] : [`docs/errors.md has another code or status for ${name}: expected ${code}, ${httpStatus}`];
  });
  const unknown = [...rows.keys()].filter((name) => name !== undefined && !(name in catalogue));
  return [...problems, ...unknown.map((name) => `docs/errors.md names ${name}, which is not in the catalogue`)];
}

/** Codes given more than once in the catalogue. */
export function repeatedCodes(catalogue: Record<string, ErrorDefinition>): string[] {
  const codes = Object.values(catalogue).map(({ code }) => code);
  const repeated = codes.filter((code, index) => codes.indexOf(code) !== index);
  return repeated.map((code) => `error code ${code} is given twice`);
}

/** The console's table from code to text key, read from its source, against the catalogue and the text files. */
export function compareExplainedCodes(source: string, texts: readonly { explained: object }[]): string[] {
  const known = new Set<number>(Object.values(errorCatalogue).map(({ code }) => code));
  const explained = [...source.matchAll(/^\s*(\d{3,4}): '(\w+)'/gm)];
  if (explained.length === 0) return ['no explained error code found in the console'];
  return explained.flatMap(([, code, key = '']) => {
    const problems = known.has(Number(code)) ? [] : [`the console explains ${code}, which is not in the catalogue`];
    return texts.every((language) => key in language.explained) ? problems : [...problems, `no text explains ${key}`];
  });
}

/** Names of `required` that occur nowhere in `text` as a word. */
export function missingWords(required: Iterable<string>, text: string): string[] {
  const words = new Set(text.match(/\w+/g));
  return [...required].filter((word) => !words.has(word));
}

/** Quoted or property names in capitals: the environment variables a source file reads. */
export function environmentVariables(source: string): string[] {
  return [...source.matchAll(/(?:'|\.|^ {2})([A-Z][A-Z0-9]*_[A-Z0-9_]+|CANDIDATE)\b/gm)].map((match) => match[1] ?? '');
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const read = (path: string) => readFileSync(join(checkout, path), 'utf8');
  const readAll = (pattern: string) => globSync(pattern, { cwd: checkout }).map(read).join('\n');
  const errorFolder = 'packages/console/src/shared/errors';
  const languages = supportedLocales.map((name) => JSON.parse(read(`${errorFolder}/locales/${name}.json`)));
  const variables = new Set(
    ['packages/*/src/env.ts', 'packages/stack/src/environment.ts'].flatMap((path) =>
      environmentVariables(readAll(path)),
    ),
  );
  const routes = missingWords(Object.keys(endpoints), readAll('packages/platform/src/routes/**/*.ts'));
  const problems = [
    ...repeatedCodes(errorCatalogue),
    ...compareErrorTable(errorCatalogue, read('docs/errors.md')),
    ...compareExplainedCodes(read(`${errorFolder}/error-description.ts`), languages),
    ...routes.map((name) => `the call ${name} has no route in the platform`),
    ...missingWords(variables, read('docs/configuration.md')).map(
      (name) => `docs/configuration.md does not explain ${name}`,
    ),
  ];
  for (const problem of problems) console.error(problem);
  const counts = `${Object.keys(errorCatalogue).length} errors, ${Object.keys(endpoints).length} calls, ${variables.size} variables`;
  console.log(`${counts}, ${problems.length} problems`);
  process.exit(problems.length > 0 || variables.size === 0 ? 1 : 0);
}
