import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { longestFirst } from './longest-first.ts';

const file = (project: string, name: string) => ({
  moduleId: fileURLToPath(new URL(`../../${name}`, import.meta.url)),
  project: {
    name: project,
    config: { isolate: project.endsWith('isolated'), sequence: { groupOrder: project === 'e2e' ? 1 : 0 } },
  },
});

test('groups, then projects, files with a process of their own first, then the longest', () => {
  const files = [
    file('e2e', 'long'),
    file('console', 'short'),
    file('unit', 'short'),
    file('console', 'long'),
    file('unit', 'long'),
    file('console-isolated', 'short'),
  ];
  const order = longestFirst(files, (name) => (name.includes('long') ? 30 : 1));
  expect(order.map(({ project, moduleId }) => `${project.name} ${moduleId.split('/').at(-1)}`)).toEqual([
    'console-isolated short',
    'unit long',
    'unit short',
    'console long',
    'console short',
    'e2e long',
  ]);
});
