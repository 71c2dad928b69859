import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { showToast } from './toast.ts';

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
/** Vite's dynamic import resolves to undefined if the page reloads after a failed import. */
const nothing = () => Promise.resolve(undefined as never);

test('the close button of a toast has a name', async () => {
  await renderPart(<p>page</p>);
  await act(() => showToast({ message: 'Saved well', lastsMs: false }));
  expect(await screen.findByText('Saved well')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await vi.waitFor(() => expect(screen.queryByText('Saved well')).toBeNull());
});

test.each([
  ['cannot be fetched', gone],
  ['is not there', nothing],
])('if the toast library %s, the page stays and the message is visible', async (_name, load) => {
  await renderPart(<p>page</p>);
  await act(() => showToast({ title: 'Oh', message: 'Not saved', tone: 'bad', lastsMs: false }, load));
  expect(screen.getByText('page')).toBeTruthy();
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toBe('OhNot saved');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Not saved')).toBeNull();
});

test('a plain message closes by itself, and at most three are shown', async () => {
  await renderPart(<p>page</p>);
  vi.useFakeTimers();
  for (const message of ['one', 'two', 'three', 'four']) await act(() => showToast({ message }, gone));
  expect(screen.getAllByRole('status').map((toast) => toast.textContent)).toEqual(['two', 'three', 'four']);
  act(() => vi.advanceTimersByTime(5_000));
  expect(screen.queryAllByRole('status')).toEqual([]);
});
