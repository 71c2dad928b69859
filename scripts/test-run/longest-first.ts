// The order of test files: projects by their group, then the files known to take longest, so that no long one is left for the
// end when nothing runs beside it.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { knownTimes } from './known-times.ts';
import { specificationName } from './specification-name.ts';

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = knownTimes();
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const seconds = (file: TestSpecification) => secondsOf(specificationName(file));
    return [...files].sort((a, b) => group(a) - group(b) || seconds(b) - seconds(a));
  }
}
