import { AppError } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { allAnswers } from './all-answers.ts';

const away = (member: string) => new AppError('mediaServerUnreachable', undefined, { cause: member });
/** Asks those that are named; the others are away, or what `failing` says of them. */
const ask =
  (answering: string, failing: Readonly<Record<string, Error>> = {}) =>
  async (member: string) => {
    if (answering.includes(member)) return `${member}!`;
    throw failing[member] ?? away(member);
  };

test('who answers counts, in the order of the servers, and the others are told on the side', async () => {
  const failures: unknown[] = [];
  expect(await allAnswers(['a', 'b', 'c'], ask('ac'), failures)).toEqual([
    { member: 'a', answer: 'a!' },
    { member: 'c', answer: 'c!' },
  ]);
  expect(failures).toMatchObject([{ cause: 'b' }]);
});

test('an answer of nothing is an answer', async () => {
  expect(await allAnswers(['a'], async () => undefined)).toEqual([{ member: 'a', answer: undefined }]);
});

test('when none answers it is what the first said', async () => {
  await expect(allAnswers(['a', 'b'], ask(''))).rejects.toMatchObject({ cause: 'a' });
});

test('a bug in one of them is thrown, whoever else answers', async () => {
  const bug = new TypeError('planted');
  await expect(allAnswers(['a', 'b', 'c'], ask('c', { b: bug }))).rejects.toBe(bug);
});
