// Order of the test files: project by project, longest first, so that no long file runs alone at the end. With a time limit, `npm run
// test:rest` runs parts of the files one after another (`rotation.ts`), each part in this order.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { FileKind } from './file-admission.ts';
import { kindOf } from './file-kinds.ts';
import { knownTimes } from './known-times.ts';
import { changedFiles, currentTurn, placesOf } from './rotation.ts';
import { untilVariable } from './run-report.ts';
import { specificationName, specificationPath } from './specification-name.ts';

interface OrderedFile {
  readonly moduleId: string;
  readonly project: { readonly name: string; readonly config: { readonly isolate: boolean } };
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = knownTimes();
    const sorted = longestFirst(files, secondsOf);
    const isRotated = process.env.TEST_TIER === 'rest' && process.env[untilVariable] !== undefined;
    if (!isRotated) return sorted;
    const timed = files.map((file) => ({ path: specificationPath(file), seconds: secondsOf(specificationName(file)) }));
    const placeOf = placesOf(timed, currentTurn(), changedFiles());
    return sorted.sort((a, b) => placeOf(specificationPath(a)) - placeOf(specificationPath(b)));
  }
}

/**
 * Sorts files in four groups: files with their own process, other projects one by one, end-to-end files, and files that run alone. In each
 * group the longest file is first. Projects are not mixed, because a worker keeps its loaded modules only while it runs files of one
 * project.
 * @param secondsOf known duration of a file by its name, see `FileTime`.
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
