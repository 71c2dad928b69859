import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longestFirst } from './longest-first.ts';

const file = (project: string, path: string) => ({
  moduleId: fileURLToPath(new URL(`../../${path}`, import.meta.url)),
  project: { name: project, config: { isolate: project.endsWith('isolated') } },
});
const namesOf = (files: readonly ReturnType<typeof file>[]) =>
  files.map(({ project, moduleId }) => `${project.name} ${moduleId.split('/').at(-1)!.replace('.test.ts', '')}`);

test('files with their own process first, then the longest of each project, files that run alone last', () => {
  const files = [
    file('e2e', 'e2e/console-budget.test.ts'),
    file('e2e', 'e2e/short.test.ts'),
    file('e2e', 'e2e/long.test.ts'),
    file('console', 'packages/console/src/short.test.ts'),
    file('unit', 'packages/media/src/short.test.ts'),
    file('console', 'packages/console/src/long.test.ts'),
    file('unit', 'packages/media/src/long.test.ts'),
    file('console-isolated', 'packages/console/src/other.test.ts'),
  ];
  const order = longestFirst(files, (name) => (name.includes('long') || name.includes('budget') ? 30 : 1));
  expect(namesOf(order)).toEqual([
    'console-isolated other',
    'unit long',
    'unit short',
    'console long',
    'console short',
    'e2e long',
    'e2e short',
    'e2e console-budget',
  ]);
});
