// The order of test files: groups as configured, then the projects one after another, then the files known to take longest, so that
// no long one is left for the end when nothing runs beside it.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { knownTimes } from './known-times.ts';
import { specificationName } from './specification-name.ts';

/** What the order looks at of a file. */
interface OrderedFile {
  readonly moduleId: string;
  readonly project: {
    readonly name: string;
    readonly config: { readonly isolate: boolean; readonly sequence: { readonly groupOrder: number } };
  };
}

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(files, knownTimes());
  }
}

/**
 * A worker that shares its modules lives as long as the next file in line is of its project: where projects take turns, each file
 * starts one and loads everything anew. Files with a process of their own come first and start theirs anyway; `unit` comes before
 * `console`, whose files wait for nothing and leave no processor idle when few are left.
 * @param secondsOf known seconds of a file by its name, see `FileTime`.
 */
export function longestFirst<File extends OrderedFile>(
  files: readonly File[],
  secondsOf: (name: string) => number,
): File[] {
  const rank = (file: File) => {
    const { name, config } = file.project;
    return { name, group: config.sequence.groupOrder, isShared: config.isolate ? 0 : 1 };
  };
  return files
    .map((file) => ({ file, ...rank(file), seconds: secondsOf(specificationName(file)) }))
    .sort(
      (a, b) => a.group - b.group || a.isShared - b.isShared || b.name.localeCompare(a.name) || b.seconds - a.seconds,
    )
    .map(({ file }) => file);
}
