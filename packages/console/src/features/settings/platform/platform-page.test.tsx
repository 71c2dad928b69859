import { AppError, because, type endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { windowMinutes } from './window-form.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const upgrade: ResponseOf<typeof endpoints.queryUpgradeWindow> = {
  start: '23:00',
  end: '05:00',
  isOpen: false,
  opensAt: '2026-01-02T23:00:00Z',
  closesAt: '2026-01-03T05:00:00Z',
  serverTime: '2026-01-02T12:00:00Z',
  timeZone: 'UTC',
  liveStreams: 2,
  revision: 'w1',
};
const off = {
  file: '',
  key: '',
  fingerprint: '',
  granted: false,
  otherKeys: 0,
  problem: '',
  revision: 'k1',
} satisfies ResponseOf<typeof endpoints.queryAdminKey>;
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEf1wIIP7i/i9oVCkGs/Tk3tPvTZQv7DQQTCOY24wNU8 admin';
const granted = {
  ...off,
  file: '/root/.ssh/authorized_keys',
  key,
  fingerprint: 'SHA256:x',
  granted: true,
  otherKeys: 3,
};

test('a window shorter than three hours is refused; one over midnight is saved', async () => {
  const server = startFakeServer({
    queryUpgradeWindow: () => upgrade,
    updateUpgradeWindow: () => null,
    queryAdminKey: () => off,
  });
  await renderApp('/en/routers-settings?tab=platform', 'en');
  expect(await screen.findByText('Closed now')).toBeTruthy();
  expect(screen.getByText('An upgrade now would interrupt 2 streams.')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('End'), { target: { value: '01:30' } });
  const [save] = screen.getAllByRole('button', { name: 'Save' });
  await userEvent.click(save!);
  expect(screen.getByText('The window must be at least 3 hours')).toBeTruthy();
  expect(server.callsOf('updateUpgradeWindow')).toHaveLength(0);
  fireEvent.change(screen.getByLabelText('End'), { target: { value: '02:00' } });
  await userEvent.click(save!);
  expect(await screen.findByText('Upgrade window updated')).toBeTruthy();
  expect(server.callsOf('updateUpgradeWindow')[0]!.body).toMatchObject({
    start: '23:00',
    end: '02:00',
    revision: 'w1',
  });
});

const noKey = { queryUpgradeWindow: () => upgrade, queryAdminKey: () => off };

test('the password is changed, with the API secret when that is ticked, and this browser stays logged in', async () => {
  const next = { ...testSession, token: 'next-token' };
  const server = startFakeServer({ ...noKey, changePassword: () => next });
  await renderApp('/en/routers-settings?tab=platform', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Change password' }));
  expect(screen.getAllByText('Enter a password')).toHaveLength(2);
  await userEvent.type(screen.getByLabelText('Current password'), 'old one');
  await userEvent.type(screen.getByLabelText('New password'), 'new one');
  await userEvent.click(screen.getByLabelText('Replace the API secret as well'));
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
  expect(await screen.findByText('Password changed; other browsers are logged out')).toBeTruthy();
  const request = { token: testSession.token, current: 'old one', password: 'new one', rotateSecret: true };
  expect(server.callsOf('changePassword').map(({ body }) => body)).toEqual([request]);
  expect(JSON.parse(localStorage.getItem(storageKeys.token)!)).toEqual(next);
  expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('');
});

test('a wrong current password changes nothing and is reported, in Chinese too', async () => {
  const server = startFakeServer({ ...noKey, changePassword: () => new Refusal('passwordWrong') });
  await renderApp('/zh/routers-settings?tab=platform');
  await userEvent.type(await screen.findByLabelText('当前密码'), 'x');
  await userEvent.type(screen.getByLabelText('新密码'), 'y');
  await userEvent.click(screen.getByRole('button', { name: '修改密码' }));
  expect(await screen.findByText('密码不正确。')).toBeTruthy();
  expect(server.callsOf('changePassword')[0]!.body).toMatchObject({ rotateSecret: false });
  expect(JSON.parse(localStorage.getItem(storageKeys.token)!)).toEqual(testSession);
});

test('lengths of windows', () => {
  expect([windowMinutes('23:00', '02:00'), windowMinutes('01:00', '04:00'), windowMinutes('05:00', '05:00')]).toEqual([
    180, 180, 0,
  ]);
});

test('without a configured file the page explains how to enable the feature, and offers nothing', async () => {
  startFakeServer({ queryUpgradeWindow: () => upgrade, queryAdminKey: () => off });
  await renderApp('/zh/routers-settings?tab=platform');
  expect(await screen.findByText('没有启用')).toBeTruthy();
  expect(screen.getByText('AUTHORIZED_KEYS_FILE')).toBeTruthy();
  expect(screen.queryByRole('button', { name: '授权登录' })).toBeNull();
});

test('a key is granted, and revoked after a confirmation', async () => {
  let stored: ResponseOf<typeof endpoints.queryAdminKey> = { ...granted, key: '', fingerprint: '', granted: false };
  const server = startFakeServer({
    queryUpgradeWindow: () => upgrade,
    queryAdminKey: () => stored,
    updateAdminKey: ({ enable }) => {
      stored = { ...granted, granted: enable, revision: enable ? 'k2' : 'k3' };
      return null;
    },
  });
  await renderApp('/en/routers-settings?tab=platform', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Grant access' }));
  expect(screen.getByText('Paste the public key')).toBeTruthy();
  await userEvent.click(screen.getByLabelText('Public key'));
  await userEvent.paste(key);
  await userEvent.click(screen.getByRole('button', { name: 'Grant access' }));
  expect(await screen.findByText('Granted')).toBeTruthy();
  expect(server.callsOf('updateAdminKey')[0]!.body).toMatchObject({ key, enable: true, revision: 'k1' });
  await userEvent.click(screen.getByRole('button', { name: 'Deny access' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Not granted')).toBeTruthy();
  expect(server.callsOf('updateAdminKey')[1]!.body).toMatchObject({ enable: false, revision: 'k2' });
});

const unusable = new AppError('keyFileUnusable', because('ssh-key.file', { path: '/root/keys', problem: 'EACCES' }));

test('an unusable file shows the reason', async () => {
  startFakeServer({
    queryUpgradeWindow: () => upgrade,
    queryAdminKey: () => ({ ...granted, granted: false, problem: unusable.message, reason: unusable.facts.reason }),
    updateAdminKey: () => new Refusal('keyFileUnusable'),
  });
  await renderApp('/zh/routers-settings?tab=platform', 'zh');
  expect(await screen.findByText('/root/keys（EACCES）')).toBeTruthy();
  expect(screen.getAllByText('无法使用 authorized_keys 文件。')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: '授权登录' }));
  await waitFor(() => expect(screen.getAllByText('无法使用 authorized_keys 文件。')).toHaveLength(2));
});
