import { expect, test } from 'vitest';
import { toVerdict } from './callback-verdict.ts';

const judge = (status: number, body: string) => {
  const verdict = toVerdict({ kind: 'answer', status, body });
  return verdict.allowed ? 'allowed' : verdict.reason;
};
const failure = (name: string) => JSON.stringify({ code: 1, server: 1, data: { name, message: 'why' } });

test.each([
  [200, '0', 'allowed'],
  [200, '{"code":0}', 'allowed'],
  [201, '{"code":0,"server":1,"data":null}', 'allowed'],
  [200, '', 'callback-refused'],
  [200, '1', 'callback-refused'],
  [200, 'ok', 'callback-refused'],
  [200, '[]', 'callback-refused'],
  [200, '{}', 'callback-refused'],
  [200, '{"code":"0"}', 'callback-refused'],
  [200, '{"code":5}', 'callback-refused'],
  [204, '', 'callback-refused'],
  [302, '', 'callback-refused'],
  [403, failure('publishSecretWrong'), 'publish-secret-wrong'],
  [403, failure('callbackRefused'), 'callback-refused'],
  [400, failure('streamNameInvalid'), 'name-invalid'],
  [409, failure('streamBusy'), 'stream-busy'],
  [403, failure('unheardOf'), 'callback-refused'],
  [503, failure('storeNotReady'), 'control-plane-away'],
  [500, 'authenticate: failed', 'control-plane-away'],
  [500, failure('__proto__'), 'control-plane-away'],
])('HTTP %i with %j is %s', (status, body, expected) => {
  expect(judge(status, body)).toBe(expected);
});

test('the message is kept, truncated to the limit', () => {
  const long = JSON.stringify({ data: { name: 'callbackRefused', message: 'x'.repeat(5000) } });
  const verdict = toVerdict({ kind: 'answer', status: 403, body: long });
  expect(!verdict.allowed && verdict.detail.length).toBe(300);
  expect(toVerdict({ kind: 'answer', status: 403, body: failure('callbackRefused') })).toMatchObject({ detail: 'why' });
});
