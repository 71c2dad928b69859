import { toWirePhrase, verbatim } from '@srs-stack/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorFacts } from '../../api/api-error.ts';
import { renderPart } from '../../testing/render-part.tsx';
import { ErrorAlert } from './error-alert.tsx';

const show = async (error: unknown) => {
  const onDismiss = vi.fn();
  await renderPart(<ErrorAlert error={error} onDismiss={onDismiss} />, ['errors']);
  return { onDismiss, alert: await screen.findByRole('alert') };
};
const apiError = (facts: Partial<ApiErrorFacts>) =>
  new ApiError({ kind: 'refused', message: 'server words', url: '/terraform/v1/x', status: 500, ...facts });

test.each([
  [2001, 'Your session has expired.'],
  [1007, 'Redis is not ready, retry later.'],
  [3001, 'HTTPS is managed by the hosting panel.'],
])('code %i shows the explanation, its code and the message of the server', async (code, what) => {
  const reason = toWirePhrase(verbatim('server words'));
  const { alert } = await show(apiError({ code, message: 'it failed: server words', reason }));
  expect(alert.textContent).toContain('You got an error!');
  expect(alert.textContent).toContain(what);
  expect(alert.textContent).toMatch(new RegExp(`Error Code${code}`));
  expect(alert.textContent).toContain('it failed: server words');
  expect(screen.queryByRole('button', { name: 'Technical details' })).toBeNull();
});

test('an ended session leads to the logout', async () => {
  await show(apiError({ code: 2001 }));
  expect(screen.getByRole('link', { name: 'Log in again' }).getAttribute('href')).toMatch(/routers-logout$/);
});

test('an explained code shows request, status and body after a click; the id can be copied', async () => {
  const body = { code: 4022, data: { message: 'server words' } };
  const { alert } = await show(
    apiError({ code: 4100, status: 502, statusText: 'Bad Gateway', body, requestId: 'r-7' }),
  );
  const details = screen.getByRole('button', { name: 'Technical details' });
  expect(details.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(details);
  expect(details.getAttribute('aria-expanded')).toBe('true');
  for (const fact of ['/terraform/v1/x', '502 Bad Gateway', '4100', JSON.stringify(body, null, 2), 'r-7']) {
    expect(alert.textContent).toContain(fact);
  }
  expect(screen.getByRole('button', { name: 'Copy Request ID' })).toBeTruthy();
});

test('a code without an explanation shows its facts immediately', async () => {
  const { alert } = await show(apiError({ code: 100, body: { code: 100 } }));
  expect(alert.textContent).toContain('An unexpected error occurred.');
  expect(alert.textContent).toContain('Error Code100');
});

test.each([
  ['a status without a code', apiError({ kind: 'http', status: 418, body: 'teapot' }), ['418', 'teapot']],
  ['a plain error', new TypeError('broken'), ['TypeError', 'broken']],
  ['another object', { odd: true }, ['"odd": true']],
  ['nothing at all', undefined, ['Empty unknown error']],
])('%s', async (_kind, error, words) => {
  const { alert } = await show(error);
  for (const word of words) expect(alert.textContent).toContain(word);
});

test('OK and the close button both dismiss the alert', async () => {
  const { onDismiss } = await show(new Error('broken'));
  await userEvent.click(screen.getByRole('button', { name: 'OK' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss the error' }));
  expect(onDismiss).toHaveBeenCalledTimes(2);
});
