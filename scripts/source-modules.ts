// Reads the TypeScript modules of the checkout for the checks: path, code without comments, and imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

export interface SourceModule {
  /** Path relative to the checkout, with `/`. */
  readonly path: string;
  /** Source text in which spaces replace comments. Line numbers are unchanged. */
  readonly code: string;
  readonly imports: readonly ImportReference[];
}

export interface ImportReference {
  /** Module specifier in the source: `node:net`, `@srs-stack/contract`, `../hub/track.ts`. */
  readonly specifier: string;
  /** Path relative to the checkout; undefined unless the specifier is relative. */
  readonly target: string | undefined;
  /** True for `import type` and `export type`, which load nothing. */
  readonly isType: boolean;
  readonly line: number;
}

const skippedFolders = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** All `.ts` and `.tsx` files below these folders of the checkout, except `.d.ts` files and `skippedFolders`. */
export function readModules(checkout: string, folders: readonly string[]): SourceModule[] {
  return folders.flatMap((folder) => filesBelow(join(checkout, folder))).map((file) => readModule(checkout, file));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : filesBelow(join(folder, entry.name));
    return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [join(folder, entry.name)] : [];
  });
}

function readModule(checkout: string, file: string): SourceModule {
  const path = relative(checkout, file).replaceAll('\\', '/');
  const code = blankComments(readFileSync(file, 'utf8'));
  return { path, code, imports: findImports(path, code) };
}

/** The pattern also matches strings and templates, so that a `//` inside a string does not count as a comment. */
const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** Replaces comments with spaces, but keeps line breaks. */
export function blankComments(text: string): string {
  return text.replace(stringOrComment, (match) => (match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match));
}

const importStatement = /(?:^|[;}\n])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\n]+)['"]/g;
const importCall = /\bimport\(\s*['"]([^'"\n]+)['"]/g;

/** Static imports, re-exports and `import()` with a literal name. */
export function findImports(path: string, code: string): ImportReference[] {
  return [importStatement, importCall].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const specifier = match[1] ?? '';
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
      const isType = /^\W*(?:import|export)\s+type\s/.test(match[0]);
      return { specifier, target, isType, line: lineOf(code, match.index + match[0].length) };
    }),
  );
}

/** Line number, from 1, of an offset. */
export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
