// Checks that every relative link in Markdown files has an existing target (file and heading), and that documents mentioned in code exist.
// Run: node scripts/check-links.ts
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brokenLinks, brokenMentions } from './markdown-links.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
/** Files that may mention documents: Markdown, code, configuration of tools, and files without extension, e.g. `CODEOWNERS`. */
const searched = /\.(?:md|ts|tsx|mjs|json|ya?ml|service|conf|cfg)$|(?:^|\/)[A-Z][A-Za-z]+$/;
/**
 * Exceptions: the test of this check, whose documents do not exist, and the README of the npm package, whose links are relative to the
 * package.
 */
const leftOut = /^scripts\/(?:markdown-links\.test\.ts|pack\/package-readme\.md)$/;

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: checkout,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 ** 2,
});
const paths = new Set(listed.split('\0').filter((path) => path !== '' && existsSync(join(checkout, path))));
const files = { paths, read: (path: string) => readFileSync(join(checkout, path), 'utf8') };
const candidates = [...paths].filter((path) => searched.test(path) && !leftOut.test(path));
const problems = candidates.flatMap((path) => [
  ...(path.endsWith('.md') ? brokenLinks(path, files) : []),
  ...brokenMentions(path, files),
]);
for (const problem of problems) console.error(problem);
if (problems.length === 0)
  console.log(`links of ${candidates.filter((path) => path.endsWith('.md')).length} documents`);
else process.exitCode = 1;
