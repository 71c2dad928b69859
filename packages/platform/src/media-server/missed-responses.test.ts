import { expect, test } from 'vitest';
import { MissedResponses, missedResponseGraceMs } from './missed-responses.ts';

function open() {
  const clock = { nowMs: 0 };
  return { clock, responses: new MissedResponses<string>(() => clock.nowMs) };
}
const missed = (code?: string) =>
  Promise.reject(new Error('no response', { cause: Object.assign(new Error(), { code }) }));

test('the last response is reused for a short time after the first missed one', async () => {
  const { clock, responses } = open();
  expect(await responses.note(Promise.resolve('streams'))).toBe('streams');
  expect(responses.standIn()).toBeUndefined();
  clock.nowMs = 60_000;
  await expect(responses.note(missed())).rejects.toThrow('no response');
  expect(responses.standIn()).toBe('streams');
  clock.nowMs += missedResponseGraceMs - 1;
  await expect(responses.note(missed('ECONNRESET'))).rejects.toThrow();
  expect(responses.standIn()).toBe('streams');
  clock.nowMs += 1;
  expect(responses.standIn()).toBeUndefined();
});

test('a new response replaces it', async () => {
  const { responses } = open();
  await responses.note(Promise.resolve('old'));
  await responses.note(missed()).catch(() => undefined);
  await responses.note(Promise.resolve('none'));
  expect(responses.standIn()).toBeUndefined();
});

test('a stopped server is forgotten immediately, and one that never responded has none', async () => {
  const { responses } = open();
  await responses.note(missed()).catch(() => undefined);
  expect(responses.standIn()).toBeUndefined();
  await responses.note(Promise.resolve('streams'));
  await responses.note(missed('ECONNREFUSED')).catch(() => undefined);
  expect(responses.standIn()).toBeUndefined();
});
