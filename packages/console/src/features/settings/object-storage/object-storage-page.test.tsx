import { type endpoints, type RequestOf, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

type Storage = ResponseOf<typeof endpoints.queryObjectStorage>;
const none = { count: 0, bytes: 0 };
const problem = {
  kind: 'denied' as const,
  words: 'cannot write x: AccessDenied, HTTP 403',
  since: '2026-01-02T03:04:05Z',
  retryAt: '',
};
const empty: Storage = {
  ...{ on: false, endpoint: '', region: 'us-east-1', bucket: '', pathStyle: true, prefix: '' },
  ...{ local: 'keep', delivery: 'auto', accessKey: '', hasSecretKey: false, delivers: 'server', revision: 'r1' },
  status: {
    ...{ waiting: none, stored: none, onlyThere: none, onlyHere: none, problem: null },
    removals: { count: 0, problem: null },
  },
};
const filled: Storage = {
  ...{ ...empty, on: true, endpoint: 'https://s3.example.com', bucket: 'films' },
  ...{ accessKey: 'AKIA…CDEF', hasSecretKey: true },
  status: { ...empty.status, stored: { count: 3, bytes: 3_000_000 }, onlyHere: { count: 1, bytes: 1_000_000 } },
};

function start(stored: Storage) {
  const state = { stored };
  const server = startFakeServer({
    queryObjectStorage: () => state.stored,
    updateObjectStorage: () => null,
    testObjectStorage: () => ({ ok: true, failed: null, durationMs: 42 }),
    retryObjectStorage: () => null,
  });
  return { server, state };
}
const open = () => renderApp('/en/routers-settings?tab=storage', 'en');
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
type Update = RequestOf<typeof endpoints.updateObjectStorage>;

test('a bucket is typed, tested and saved; keys are sent once and never shown', async () => {
  const { server } = start(empty);
  await open();
  await userEvent.click(await screen.findByLabelText('Upload finished recordings to the bucket'));
  await save();
  expect(screen.getAllByText('Required')).toHaveLength(4);
  await userEvent.type(screen.getByLabelText('Endpoint'), 'http://10.0.0.9:9000');
  expect(screen.getByText(/anyone on the network path can read/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Bucket'), 'films');
  await userEvent.type(screen.getByLabelText('Access key'), 'minio');
  await userEvent.type(screen.getByLabelText('Secret key'), 'very-secret');
  expect(document.body.textContent).not.toContain('very-secret');
  await userEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('The bucket works')).toBeTruthy();
  expect(screen.getByText('Written, read back and deleted in 42 ms.')).toBeTruthy();
  await save();
  expect(await screen.findByText('Object storage saved')).toBeTruthy();
  const sent = server.callsOf('updateObjectStorage')[0]!.body as Update;
  expect(sent).toMatchObject({ on: true, endpoint: 'http://10.0.0.9:9000', secretKey: 'very-secret', revision: 'r1' });
  expect(sent.local).toBe('keep');
});

test('the provider is the first field and sets the path style', async () => {
  start(empty);
  await open();
  const provider = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Provider' });
  const pathStyle = screen.getByRole<HTMLInputElement>('switch', { name: 'Path style' });
  const choose = async (name: string) => {
    await userEvent.click(provider);
    await userEvent.click(await screen.findByRole('option', { name }));
  };
  await choose('MinIO');
  expect(pathStyle.checked).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Endpoint').placeholder).toBe('http://10.0.0.9:9000');
  await userEvent.type(screen.getByLabelText('Endpoint'), 'http://10.0.0.9:9000');
  expect(provider.value).toBe('MinIO');
  await choose('Tencent Cloud COS');
  expect(pathStyle.checked).toBe(false);
  const endpoint = screen.getByLabelText('Endpoint');
  await userEvent.clear(endpoint);
  await userEvent.type(endpoint, 'https://oss-cn-hangzhou.aliyuncs.com');
  expect(provider.value).toBe('Alibaba Cloud OSS');
  const fields = [...document.querySelectorAll('form input:not([type=hidden])')];
  expect(fields.indexOf(provider)).toBeLessThan(fields.indexOf(endpoint));
});

test('a failed test shows the step, the reason and the remedy', async () => {
  const { server } = start(filled);
  server.respondWith({
    testObjectStorage: () => ({
      ok: false,
      failed: { step: 'delete', kind: 'denied', words: 'AccessDenied, HTTP 403' },
      durationMs: 9,
    }),
  });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Test' }));
  const result = (await screen.findByText('The test object could not be deleted')).closest('[role=status]');
  expect(result?.textContent).toContain('The keys lack a permission.');
  expect(result?.textContent).toContain('s3:DeleteObject');
  expect(result?.textContent).toContain('AccessDenied, HTTP 403');
});

test('deletion from the server requires a confirmation with the amount', async () => {
  const { server } = start(filled);
  await open();
  await userEvent.click(await screen.findByLabelText('Delete after upload'));
  await save();
  expect(server.callsOf('updateObjectStorage')).toHaveLength(0);
  const question = await screen.findByText(/4 recordings \(.*\) and all later ones will be deleted from this server/);
  const alert = question.closest('[role=alert]') as HTMLElement;
  await userEvent.click(within(alert).getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Object storage saved')).toBeTruthy();
  expect(server.callsOf('updateObjectStorage')[0]!.body).toMatchObject({
    local: 'remove',
    accessKey: '',
    secretKey: '',
  });
});

test('waiting transfers show their reason and can be retried; objects that cannot be deleted can be abandoned', async () => {
  const status = {
    ...filled.status,
    ...{ waiting: { count: 2, bytes: 2_000_000 }, problem, removals: { count: 1, problem } },
  };
  const { server } = start({ ...filled, status });
  await open();
  expect(await screen.findByText('2 recordings are waiting on this server')).toBeTruthy();
  expect(screen.getByText('The object of 1 deleted recording is still in the bucket')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button', { name: 'Try now' })[0]!);
  await userEvent.click(screen.getByRole('button', { name: 'Leave them in the bucket' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  await expect
    .poll(() =>
      server.callsOf('retryObjectStorage').map(({ body }) => (body as { forgetRemovals?: boolean }).forgetRemovals),
    )
    .toEqual([undefined, true]);
});
