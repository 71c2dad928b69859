import { expect, test } from 'vitest';
import { MissedResponses, missedResponseGraceMs } from './missed-responses.ts';

function open() {
  const clock = { nowMs: 0 };
  return { clock, answers: new MissedResponses<string>(() => clock.nowMs) };
}
const missed = (code?: string) =>
  Promise.reject(new Error('no response', { cause: Object.assign(new Error(), { code }) }));

test('the last response is reused for a short time after the first missed one', async () => {
  const { clock, answers } = open();
  expect(await answers.note(Promise.resolve('streams'))).toBe('streams');
  expect(answers.standIn()).toBeUndefined();
  clock.nowMs = 60_000;
  await expect(answers.note(missed())).rejects.toThrow('no response');
  expect(answers.standIn()).toBe('streams');
  clock.nowMs += missedResponseGraceMs - 1;
  await expect(answers.note(missed('ECONNRESET'))).rejects.toThrow();
  expect(answers.standIn()).toBe('streams');
  clock.nowMs += 1;
  expect(answers.standIn()).toBeUndefined();
});

test('a new response replaces it', async () => {
  const { answers } = open();
  await answers.note(Promise.resolve('old'));
  await answers.note(missed()).catch(() => undefined);
  await answers.note(Promise.resolve('none'));
  expect(answers.standIn()).toBeUndefined();
});

test('a stopped server is forgotten immediately, and one that never responded has none', async () => {
  const { answers } = open();
  await answers.note(missed()).catch(() => undefined);
  expect(answers.standIn()).toBeUndefined();
  await answers.note(Promise.resolve('streams'));
  await answers.note(missed('ECONNREFUSED')).catch(() => undefined);
  expect(answers.standIn()).toBeUndefined();
});
