import { AppError } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { allResponses } from './all-responses.ts';

const away = (member: string) => new AppError('mediaServerUnreachable', undefined, { cause: member });
/** Servers in `answering` respond, servers in `failing` fail with the given error. All others are unavailable. */
const ask =
  (answering: string, failing: Readonly<Record<string, Error>> = {}) =>
  async (member: string) => {
    if (answering.includes(member)) return `${member}!`;
    throw failing[member] ?? away(member);
  };

test('responses are in the order of the servers, and failures are reported separately', async () => {
  const failures: unknown[] = [];
  expect(await allResponses(['a', 'b', 'c'], ask('ac'), failures)).toEqual([
    { member: 'a', response: 'a!' },
    { member: 'c', response: 'c!' },
  ]);
  expect(failures).toMatchObject([{ cause: 'b' }]);
});

test('an empty response counts as a response', async () => {
  expect(await allResponses(['a'], async () => undefined)).toEqual([{ member: 'a', response: undefined }]);
});

test('without any response the error of the first server is thrown', async () => {
  await expect(allResponses(['a', 'b'], ask(''))).rejects.toMatchObject({ cause: 'a' });
});

test('a bug in one of them is thrown even if others respond', async () => {
  const bug = new TypeError('planted');
  await expect(allResponses(['a', 'b', 'c'], ask('c', { b: bug }))).rejects.toBe(bug);
});
