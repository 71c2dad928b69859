import { describe, expect, test } from 'vitest';
import { judgeProse, keepCounts } from './check-prose.ts';
import { lintMarkdown, lintTexts } from './prose/lint-prose.ts';
import { maxSentenceWords, terms } from './prose/words.ts';

const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;

describe('Markdown', () => {
  test.each(terms)('reports "%s"', async (pattern, replacement) => {
    const planted = pattern.replace(/s\?$/, '');
    const [problem, ...others] = await lintMarkdown(`# Title\n\nThere ${planted} it is.\n`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ line: 3, message: expect.stringContaining(`use “${replacement}”`) });
  });

  test('reports a sentence above the limit, and none at the limit', async () => {
    expect(await lintMarkdown(`${words(maxSentenceWords)} ${words(maxSentenceWords)}\n`)).toEqual([]);
    expect(await lintMarkdown(`First.\n\n${words(maxSentenceWords + 1)}\n`)).toMatchObject([{ line: 3 }]);
  });

  test('ignores code', async () => {
    expect(await lintMarkdown('The field `sound`.\n\n```sh\nrm told sound\n```\n')).toEqual([]);
  });
});

test('reports texts of the console by their key', async () => {
  const texts = new Map([
    ['a.title', 'Audio'],
    ['a.hint', 'First line\nof the sound.'],
    ['b.long', words(maxSentenceWords + 1)],
  ]);
  expect(await lintTexts(texts)).toMatchObject([
    { line: 2, message: expect.stringMatching(/^a\.hint: .*“audio”/) },
    { line: 3, message: expect.stringMatching(/^b\.long: /) },
  ]);
});

describe('known problems', () => {
  const problem = { line: 7, message: 'Sentence too long.' };
  const found = new Map([['old.md', [problem, problem]]]);

  test('are accepted, but not one more', () => {
    expect(judgeProse(found, { 'old.md': 2 })).toEqual([]);
    expect(judgeProse(found, { 'old.md': 1 })).toHaveLength(3);
    expect(judgeProse(found, {})).toEqual(['old.md:7 Sentence too long.', 'old.md:7 Sentence too long.']);
  });

  test('only decrease', () => {
    expect(keepCounts(found, { 'old.md': 5, 'gone.md': 3 })).toEqual({ 'old.md': 2 });
    expect(keepCounts(found, { 'old.md': 1 })).toEqual({ 'old.md': 1 });
    expect(keepCounts(found, {})).toEqual({});
  });
});
