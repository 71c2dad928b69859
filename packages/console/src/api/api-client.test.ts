import { endpoints, storageKeys } from '@srs-stack/contract';
import { expect, test, vi } from 'vitest';
import { Refusal, startFakeServer } from '../testing/fake-server.ts';
import { call } from './api-client.ts';
import { ApiError, isControlPlaneDown, isSessionExpired } from './api-error.ts';

const respondWith = (make: () => Response | Promise<Response>) => vi.stubGlobal('fetch', vi.fn(make));
const failureOf = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => expect.fail('the call succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

test('a public call without a body is a GET; its data is unwrapped from the envelope', async () => {
  const server = startFakeServer();
  expect(await call(endpoints.queryVersion, {})).toEqual({ version: '1.2.3' });
  expect(server.calls[0]).toEqual({ name: 'queryVersion', method: 'GET', body: {} });
});

test('a credential call posts the stored token in the body', async () => {
  const server = startFakeServer();
  localStorage.setItem(storageKeys.token, JSON.stringify({ token: 'abc', extra: 1 }));
  await call(endpoints.updatePublishSecret, { secret: 'new' });
  expect(server.calls[0]).toEqual({
    name: 'updatePublishSecret',
    method: 'POST',
    body: { token: 'abc', secret: 'new' },
  });
});

test('a refusal carries code, name, message, id, status and URL', async () => {
  startFakeServer({ login: () => new Refusal('passwordWrong') });
  const error = await failureOf(call(endpoints.login, { password: 'x' }));
  expect(error).toMatchObject({
    kind: 'refused',
    code: 4013,
    errorName: 'passwordWrong',
    message: 'the password is wrong',
    requestId: 'req-1',
    status: 401,
    url: '/terraform/v1/mgmt/login',
  });
});

test('an older failure without a name is recognised by its code', async () => {
  respondWith(() => Response.json({ code: 2001, data: { message: 'expired' } }, { status: 500 }));
  const error = await failureOf(call(endpoints.renewToken, {}));
  expect(isSessionExpired(error)).toBe(true);
});

test('a plain-text failure keeps its text and status', async () => {
  respondWith(() => new Response('authenticate: no token\n', { status: 500, statusText: 'Internal Server Error' }));
  const error = await failureOf(call(endpoints.status, {}));
  expect(error).toMatchObject({ kind: 'http', code: 0, status: 500, message: 'authenticate: no token' });
});

test('a code in a 200 response is a failure too', async () => {
  respondWith(() => Response.json({ code: 1007, data: { message: 'not ready' } }));
  expect((await failureOf(call(endpoints.check, {}))).errorName).toBe('storeNotReady');
});

test.each([
  ['a web page', () => new Response('<!doctype html>')],
  ['JSON without an envelope', () => Response.json({ version: '1' })],
  ['data of another shape', () => Response.json({ code: 0, server: 1, data: { version: 1 } })],
])('%s is malformed', async (_name, make) => {
  respondWith(make);
  expect((await failureOf(call(endpoints.queryVersion, {}))).kind).toBe('malformed');
});

test('a failed connection and a restarting control plane both count as unavailable', async () => {
  respondWith(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(isControlPlaneDown(await failureOf(call(endpoints.queryVersion, {})))).toBe(true);
  startFakeServer({ queryVersion: () => new Refusal('controlPlaneRestarting') });
  expect(isControlPlaneDown(await failureOf(call(endpoints.queryVersion, {})))).toBe(true);
  startFakeServer({ queryVersion: () => new Refusal('internal') });
  expect(isControlPlaneDown(await failureOf(call(endpoints.queryVersion, {})))).toBe(false);
});

test('an abort is passed on unchanged, not as a failure of the server', async () => {
  startFakeServer();
  const abort = AbortSignal.abort(new Error('left the page'));
  await expect(call(endpoints.queryVersion, {}, { signal: abort })).rejects.toThrow('left the page');
});
