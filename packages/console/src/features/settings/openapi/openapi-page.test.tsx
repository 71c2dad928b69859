import { endpoints, openApiPath, storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Locale } from '../../../i18n/languages.ts';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { codeExample, exampleBody } from './code-examples.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

function startServer(tried: (url: string, init: RequestInit) => Response) {
  const server = startFakeServer({ querySecret: () => 'srs-v2-abc' });
  const fakeFetch = globalThis.fetch;
  const schema = {
    type: 'object',
    properties: { token: { type: 'string' }, secret: { type: 'string' } },
    required: ['secret'],
  };
  const post = {
    operationId: 'updatePublishSecret',
    tags: ['Publish secret'],
    summary: endpoints.updatePublishSecret.summary,
    security: [{ bearer: [] }],
    requestBody: { content: { 'application/json': { schema } } },
  };
  const unknown = { operationId: 'queryNextYear', tags: ['Calendar'], summary: 'Tells what comes next year.' };
  const paths = { [endpoints.updatePublishSecret.path]: { post }, '/terraform/v1/next-year': { post: unknown } };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url === openApiPath) return Response.json({ paths });
    if ((init.headers as Record<string, string> | undefined)?.Authorization) return tried(url, init);
    return fakeFetch(url, init);
  });
  return server;
}
const open = (locale: Locale = 'en') => renderApp(`/${locale}/routers-settings?tab=api`, locale);

test('a call is sent with the bearer and its response is shown unchanged', async () => {
  const tried = vi.fn((_url: string, _init: RequestInit) => Response.json({ code: 0, data: { hello: 1 } }));
  startServer(tried);
  await open();
  const bearer = await screen.findByLabelText<HTMLInputElement>('Bearer');
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Bearer').value).toBe('srs-v2-abc'));
  expect(bearer).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/"hello": 1/)).toBeTruthy();
  const [url, init] = tried.mock.calls[0]!;
  expect(url).toBe(endpoints.status.path);
  expect(init).toMatchObject({ method: 'POST', body: '{}', headers: { Authorization: 'Bearer srs-v2-abc' } });
});

test('choosing a call shows its fields and an initial body; invalid JSON is not sent', async () => {
  const tried = vi.fn(() => Response.json({}));
  startServer(tried);
  await open();
  const path = await screen.findByRole('combobox', { name: 'Path' }).catch(() => screen.findByLabelText('Path'));
  await userEvent.clear(path);
  await userEvent.type(path, endpoints.updatePublishSecret.path);
  expect(await screen.findByText(endpoints.updatePublishSecret.summary)).toBeTruthy();
  const body = screen.getByLabelText<HTMLTextAreaElement>('Body (JSON)');
  expect(JSON.parse(body.value)).toEqual({ secret: '' });
  await userEvent.type(body, 'x');
  expect(screen.getByText('This is not valid JSON')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
});

test('a call is described in the language of the page, an unknown one with the text of the document', async () => {
  startServer(() => Response.json({}));
  await open('zh');
  const path = await screen.findByRole('combobox', { name: '路径' }).catch(() => screen.findByLabelText('路径'));
  await userEvent.clear(path);
  await userEvent.type(path, endpoints.updatePublishSecret.path);
  expect(await screen.findByText(/^立即更换推流密码/)).toBeTruthy();
  expect(screen.getByText('推流密码', { selector: '[class*=groupLabel], [class*=GroupLabel]' })).toBeTruthy();
  await userEvent.clear(path);
  await userEvent.type(path, '/terraform/v1/next-year');
  expect(await screen.findByText('Tells what comes next year.')).toBeTruthy();
});

test('a failed call shows its status and body', async () => {
  startServer(() => Response.json({ code: 4000 }, { status: 400 }));
  await open();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Bearer').value).toBe('srs-v2-abc'));
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText(/HTTP 400/)).toBeTruthy();
  expect(screen.getByText(/"code": 4000/)).toBeTruthy();
});

test('a new secret needs a confirmation, and this browser stays logged in', async () => {
  const server = startServer(() => Response.json({}));
  server.respondWith({ signOutEverywhere: () => ({ ...testSession, token: 'next-token', bearer: 'srs-v2-next' }) });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Replace the secret' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(server.callsOf('signOutEverywhere')[0]!.body).toMatchObject({ rotateSecret: true }));
  expect(await screen.findByText('New API secret in use')).toBeTruthy();
  expect(JSON.parse(localStorage.getItem(storageKeys.token)!).token).toBe('next-token');
});

test('examples carry the call and no secret', () => {
  const call = { origin: 'https://a.example', path: '/x', body: '{ "name": "it\'s" }' };
  expect(codeExample('curl', call)).toContain(`-d '{"name":"it'\\''s"}'`);
  expect(codeExample('python', call)).toContain('json.loads("{\\"name\\":\\"it\'s\\"}")');
  expect(codeExample('javascript', call)).toContain('body: JSON.stringify({"name":"it\'s"})');
  expect(
    exampleBody([
      { name: 'a', type: 'string', isRequired: true },
      { name: 'b', type: 'number', isRequired: false },
    ]),
  ).toBe('{\n  "a": ""\n}');
});
