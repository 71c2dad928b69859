import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longestFirst, rotated } from './longest-first.ts';

const file = (project: string, path: string) => ({
  moduleId: fileURLToPath(new URL(`../../${path}`, import.meta.url)),
  project: { name: project, config: { isolate: project.endsWith('isolated') } },
});
const namesOf = (files: readonly ReturnType<typeof file>[]) =>
  files.map(({ project, moduleId }) => `${project.name} ${moduleId.split('/').at(-1)!.replace('.test.ts', '')}`);

test('files with a process of their own, then project by project the longest first, files that run alone last', () => {
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

test('each of five turns begins with other files, and all have been first after five', () => {
  const files = [...'abcdefghijkl'].map((letter) => file('e2e', `e2e/${letter}.test.ts`));
  const first = (turn: number) => namesOf(rotated(files, turn)).slice(0, 2);
  expect([1, 2, 3, 4, 5].map(first)).toEqual([
    ['e2e b', 'e2e g'],
    ['e2e c', 'e2e h'],
    ['e2e d', 'e2e i'],
    ['e2e e', 'e2e j'],
    ['e2e a', 'e2e f'],
  ]);
  expect(rotated(files, 3)).toHaveLength(files.length);
});
