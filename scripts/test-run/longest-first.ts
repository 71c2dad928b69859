// The order of test files: projects in turn, then the files known to take longest, so that no long one is left for the end when
// nothing runs beside it. `npm run test:rest` begins with another fifth of its files at each commit: a run that has no time for all
// leaves out others the next time.
import { execFileSync } from 'node:child_process';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { FileKind } from './file-admission.ts';
import { kindOf } from './file-kinds.ts';
import { knownTimes } from './known-times.ts';
import { specificationName, specificationPath } from './specification-name.ts';

/** What the order looks at of a file. */
interface OrderedFile {
  readonly moduleId: string;
  readonly project: { readonly name: string; readonly config: { readonly isolate: boolean } };
}

/** The files of `npm run test:rest` are dealt into this many parts. */
const parts = 5;

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = longestFirst(files, knownTimes());
    return process.env.TEST_TIER === 'rest' ? rotated(sorted, commitCount()) : sorted;
  }
}

/**
 * A worker that shares its modules lives as long as the next file in line is of its project: where projects take turns, each file
 * starts one and loads everything anew. Files with a process of their own come first and start theirs anyway; end-to-end files come
 * last, those that run alone behind the others.
 * @param secondsOf known seconds of a file by its name, see `FileTime`.
 */
export function longestFirst<File extends OrderedFile>(
  files: readonly File[],
  secondsOf: (name: string) => number,
): File[] {
  return files
    .map((file) => ({ file, rank: rankOf(file), seconds: secondsOf(specificationName(file)) }))
    .sort((a, b) => a.rank.localeCompare(b.rank) || b.seconds - a.seconds)
    .map(({ file }) => file);
}

function rankOf({ moduleId, project }: OrderedFile): string {
  const kind: FileKind = kindOf(moduleId);
  if (kind === 'light') return `1 ${project.config.isolate ? 1 : 2} ${project.name === 'unit' ? 1 : 2} ${project.name}`;
  return kind === 'alone' ? '3' : '2';
}

/** Begins with the part whose turn it is, then the next ones; within a part the order stays. */
export function rotated<File extends OrderedFile>(files: readonly File[], turn: number): File[] {
  const names = files.map(specificationPath).sort();
  const place = (file: File) => (names.indexOf(specificationPath(file)) - (turn % parts) + 2 * parts) % parts;
  return files
    .map((file) => ({ file, place: place(file) }))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => file);
}

/** Of the history of this checkout; 0 without git. */
function commitCount(): number {
  try {
    return Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }));
  } catch {
    return 0;
  }
}
