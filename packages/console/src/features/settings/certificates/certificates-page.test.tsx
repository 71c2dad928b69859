import { AppError, because, type CertificateState, storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const certificate = {
  subject: 'live.example.com',
  issuer: 'R11',
  names: ['live.example.com'],
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2026-04-01T00:00:00Z',
  daysLeft: 12,
  selfSigned: false,
  fingerprint: 'AA:BB',
};
const none: CertificateState = {
  provider: '',
  domain: '',
  certificate: null,
  order: null,
  email: '',
  nextRenewalCheck: '',
};
const openAt = (href: string) => vi.stubGlobal('location', new URL(href) as unknown as Location);
const open = (locale: 'en' | 'zh' = 'en') => renderApp(`/${locale}/routers-settings?tab=https`, locale);

test('the certificate in use shows its names and the remaining days', async () => {
  startFakeServer({ queryCertificateStatus: () => ({ ...none, provider: 'ssl', certificate }) });
  await open();
  expect(await screen.findByText('12 days left')).toBeTruthy();
  expect(screen.getByText('live.example.com')).toBeTruthy();
  expect(screen.getByText(/Upload · R11/)).toBeTruthy();
});

test('shows in both languages that there is no certificate', async () => {
  startFakeServer({ queryCertificateStatus: () => none });
  const app = await open();
  expect(await screen.findByText('No certificate yet')).toBeTruthy();
  app.unmount();
  await open('zh');
  expect(await screen.findByText('还没有证书')).toBeTruthy();
});

test('an upload needs both texts; a refusal is explained and the typed texts stay', async () => {
  const server = startFakeServer({
    queryCertificateStatus: () => none,
    updateCertificate: () => new Refusal('certificateMismatch'),
  });
  await open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Upload' }));
  await userEvent.type(screen.getByLabelText('Private key (KEY)'), 'my key');
  await userEvent.click(screen.getByRole('button', { name: 'Update certificate' }));
  expect(screen.getByText('Please enter SSL key and certificate.')).toBeTruthy();
  expect(server.callsOf('updateCertificate')).toHaveLength(0);
  await userEvent.type(screen.getByLabelText('Certificate (CRT or PEM)'), 'my crt');
  await userEvent.click(screen.getByRole('button', { name: 'Update certificate' }));
  expect(await screen.findByText('The private key does not belong to this certificate.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLTextAreaElement>('Private key (KEY)').value).toBe('my key');
  server.respondWith({ updateCertificate: () => null });
  await userEvent.click(screen.getByRole('button', { name: 'Update certificate' }));
  expect(await screen.findByText('SSL certificate updated')).toBeTruthy();
  expect(server.callsOf('updateCertificate').at(-1)!.body).toMatchObject({ key: 'my key', crt: 'my crt' });
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('Private key (KEY)').value).toBe(''));
});

test('Let’s Encrypt is offered only for the domain of the page, and its steps are shown', async () => {
  openAt('http://live.example.com/mgmt/en/routers-settings?tab=https');
  let state = none;
  const server = startFakeServer({
    queryCertificateStatus: () => state,
    requestLetsEncrypt: () => {
      state = {
        ...none,
        order: { domain: 'live.example.com', step: 'validating', startedAt: '2026-01-01T00:00:00Z', isRenewal: false },
      };
      return null;
    },
  });
  await open();
  const domain = await screen.findByLabelText<HTMLInputElement>('Domain');
  expect(domain.value).toBe('live.example.com');
  await userEvent.clear(domain);
  const order = screen.getByRole('button', { name: 'Get a certificate' });
  await userEvent.click(order);
  expect(screen.getByText('Please enter the domain.')).toBeTruthy();
  await userEvent.type(domain, 'other.example.com');
  await userEvent.click(order);
  expect(screen.getByText('The domain must match the address of this page: live.example.com.')).toBeTruthy();
  expect(server.callsOf('requestLetsEncrypt')).toHaveLength(0);
  await userEvent.clear(domain);
  await userEvent.type(domain, 'live.example.com');
  await userEvent.click(order);
  expect(
    (await screen.findByText('The certificate authority is validating the domain')).getAttribute('aria-current'),
  ).toBe('step');
  expect(server.callsOf('requestLetsEncrypt')[0]!.body).toMatchObject({ domain: 'live.example.com', wait: false });
});

test('on another port the operator sees which one is needed', async () => {
  openAt('http://live.example.com:2022/mgmt/en/routers-settings?tab=https');
  startFakeServer({ queryCertificateStatus: () => none });
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Get a certificate' }));
  expect(screen.getByText(/it is now on port 2022/)).toBeTruthy();
});

test('a failed order gives its reason in the operator’s language', async () => {
  const error = new AppError('domainElsewhere', because('domain.another-server', { address: '203.0.113.9' })).facts;
  const order = { domain: 'a.example.com', step: 'failed', startedAt: '', isRenewal: false, error } as const;
  startFakeServer({ queryCertificateStatus: () => ({ ...none, order }) });
  await open('zh');
  expect(await screen.findByText('域名的 80 端口没有指向本服务器。')).toBeTruthy();
  expect(await screen.findByText('203.0.113.9 是另一台服务器')).toBeTruthy();
});

test('leaving with an unsaved key requires a confirmation', async () => {
  startFakeServer({ queryCertificateStatus: () => none });
  const app = await open();
  await userEvent.click(await screen.findByRole('radio', { name: 'Upload' }));
  await userEvent.type(screen.getByLabelText('Private key (KEY)'), 'x');
  const confirm = vi.fn(() => false);
  vi.stubGlobal('confirm', confirm);
  await userEvent.click(screen.getByRole('tab', { name: 'HLS' }));
  expect(confirm).toHaveBeenCalledOnce();
  expect(app.url()).toContain('tab=https');
  confirm.mockReturnValue(true);
  await userEvent.click(screen.getByRole('tab', { name: 'HLS' }));
  await waitFor(() => expect(app.url()).toContain('tab=hls'));
});
