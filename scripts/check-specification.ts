// Checks specification/coverage.md: every statement of the specification names the tests that verify it, and these tests exist. The list is
// not generated from the tests, so a removed test is detected. Run: node scripts/check-specification.ts
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folders: Record<string, string> = { 'C/': 'packages/console/src/', 'P/': 'packages/platform/' };
const unprovenHeading = 'Not yet proven';

interface Coverage {
  /** Number of statements outside the section "Not yet proven". `unproven`: number of statements in this section. */
  readonly proven: number;
  readonly unproven: number;
  readonly problems: readonly string[];
}

/** @param readTest returns the text of a test file by its path from the checkout; undefined for a missing file. */
export function checkCoverage(document: string, readTest: (path: string) => string | undefined): Coverage {
  let isUnproven = false;
  let proven = 0;
  let unproven = 0;
  const problems: string[] = [];
  for (const [index, line] of document.split('\n').entries()) {
    if (line.startsWith('## ')) isUnproven = line.slice(3) === unprovenHeading;
    if (!line.startsWith('- ')) continue;
    if (isUnproven) {
      unproven += 1;
      continue;
    }
    proven += 1;
    for (const problem of problemsOf(line, readTest)) problems.push(`${index + 1}: ${problem}`);
  }
  return { proven, unproven, problems };
}

/** A proof is written as `file` › title. Several proofs are separated by "; ". */
function problemsOf(line: string, readTest: (path: string) => string | undefined): string[] {
  const proofs = [...line.matchAll(/`([^`]+\.test\.tsx?)` › (.+?)(?=; `[^`]+\.test\.tsx?` › |$)/g)];
  if (proofs.length === 0) return [`no test proves: ${line.slice(2)}`];
  return proofs.flatMap(([, file, title]) => {
    const text = readTest(wholePath(file!));
    if (text === undefined) return [`there is no test file ${file}`];
    return hasTitle(text, title!) ? [] : [`${file} has no test "${title}"`];
  });
}

function wholePath(file: string): string {
  const short = Object.keys(folders).find((prefix) => file.startsWith(prefix));
  return short ? `${folders[short]}${file.slice(short.length)}` : file;
}

/** Whether the file contains the title as a whole string, in any kind of quotes. */
function hasTitle(text: string, title: string): boolean {
  const written = [`'${title.replaceAll("'", "\\'")}'`, `"${title.replaceAll('"', '\\"')}"`, `\`${title}\``];
  return written.some((quoted) => text.includes(quoted));
}

if (import.meta.main) {
  const checkout = fileURLToPath(new URL('..', import.meta.url));
  const read = (path: string) =>
    existsSync(join(checkout, path)) ? readFileSync(join(checkout, path), 'utf8') : undefined;
  const document = 'scripts/specification/coverage.md';
  const { proven, unproven, problems } = checkCoverage(read(document) ?? '', read);
  for (const problem of problems) console.error(`${document}:${problem}`);
  console.log(`${proven} statements proven, ${unproven} not yet, ${problems.length} problems`);
  process.exit(problems.length > 0 || proven === 0 ? 1 : 0);
}
