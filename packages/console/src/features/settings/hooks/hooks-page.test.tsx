import { type HookDelivery, storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const off = { all: false, target: '', opaque: '', host: 'http://localhost', req: '', res: '', revision: 3 };
const delivery: HookDelivery = {
  id: 'd1',
  at: '2026-01-02T03:04:05Z',
  action: 'on_publish',
  target: 'http://127.0.0.1:8000/events',
  request: '{"action":"on_publish","stream":"lobby"}',
  response: 'nope',
  status: 500,
  durationMs: 42,
  outcome: 'refused',
  problem: 'status',
  detail: 'the target returned HTTP 500',
};
const open = (locale: 'en' | 'zh' = 'en') => renderApp(`/${locale}/routers-settings?tab=callback`, locale);

test('target and switch are saved together; without a target nothing is sent', async () => {
  let stored = off;
  const server = startFakeServer({
    queryHooks: () => stored,
    queryHookDeliveries: () => ({ deliveries: [] }),
    applyHooks: ({ all = false, target = '', opaque = '' }) => {
      stored = { ...stored, all, target, opaque, revision: stored.revision + 1 };
      return null;
    },
  });
  await open();
  expect(await screen.findByText('Inactive')).toBeTruthy();
  await userEvent.click(screen.getByRole('switch', { name: 'Send callbacks' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Enter the target URL')).toBeTruthy();
  expect(server.callsOf('applyHooks')).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Use the example target' }));
  expect(screen.getByLabelText<HTMLInputElement>('Target URL').value).toMatch(/mgmt\/hooks\/example\?fail=false$/);
  await userEvent.type(screen.getByLabelText('Opaque text'), 'me');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Active')).toBeTruthy();
  expect(server.callsOf('applyHooks')[0]!.body).toMatchObject({ all: true, opaque: 'me', revision: 3 });
});

test.each([
  ['{"code":1}', 'Response of the target: refused'],
  ['{"code":0}', 'Its response'],
  ['0', 'Its response'],
  ['17', 'Response of the target: refused'],
])('the last response %s is shown as "%s"', async (res, label) => {
  startFakeServer({
    queryHooks: () => ({ ...off, req: '{"action":"on_publish"}', res }),
    queryHookDeliveries: () => ({ deliveries: [] }),
  });
  await open();
  expect(await screen.findByText(label)).toBeTruthy();
  expect(screen.queryByText('on_ocr')).toBeNull();
});

test('the form shows a conflict and can load the new values', async () => {
  let stored = { ...off, opaque: 'old' };
  startFakeServer({
    queryHooks: () => stored,
    queryHookDeliveries: () => ({ deliveries: [] }),
    applyHooks: () => new Refusal('settingsChanged'),
  });
  await open();
  await userEvent.type(await screen.findByLabelText('Opaque text'), ' mine');
  stored = { ...off, opaque: 'theirs', revision: 4 };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Someone else saved these settings in the meantime.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Opaque text').value).toBe('old mine');
});

test('a test shows the response of the target', async () => {
  const server = startFakeServer({
    queryHooks: () => ({ ...off, target: 'http://127.0.0.1:8000/events' }),
    queryHookDeliveries: () => ({ deliveries: [] }),
    testHooks: () => ({ ...delivery, action: 'test' as const }),
  });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }));
  expect(await screen.findByText('The target returned HTTP 500 instead of 200.')).toBeTruthy();
  expect(screen.getByText('nope')).toBeTruthy();
  expect(server.callsOf('testHooks')[0]!.body).toMatchObject({ target: 'http://127.0.0.1:8000/events' });
});

test('the log lists deliveries, filters problems, and expands to body and response', async () => {
  const good: HookDelivery = { ...delivery, id: 'd2', outcome: 'accepted', detail: '', response: '0', status: 200 };
  delete (good as { problem?: string }).problem;
  startFakeServer({
    queryHooks: () => ({ ...off, req: '{"action":"on_unpublish"}', res: '0' }),
    queryHookDeliveries: () => ({ deliveries: [good, delivery] }),
  });
  await open('zh');
  expect(await screen.findByText('对方已接受。')).toBeTruthy();
  expect(await screen.findByText(/"on_unpublish"/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: '有问题的' }));
  await waitFor(() => expect(screen.queryByText('对方已接受。')).toBeNull());
  await userEvent.click(screen.getByText('对方返回 HTTP 500，应为 200。'));
  expect(await screen.findByText(/"lobby"/)).toBeTruthy();
});
