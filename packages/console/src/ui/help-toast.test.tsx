import { toastMs } from '@srs-stack/contract';
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { HelpToast } from './help-toast.tsx';

test('the explanation closes by itself after 5 seconds, but not while the pointer or the focus is on it', async () => {
  await renderPart(<HelpToast title="About keys">Text</HelpToast>);
  vi.useFakeTimers();
  const button = screen.getByRole('button', { name: 'About keys' });
  fireEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await act(() => vi.advanceTimersByTimeAsync(toastMs - 1));
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.mouseEnter(screen.getByText('Text'));
  await act(() => vi.advanceTimersByTimeAsync(toastMs * 3));
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.mouseLeave(screen.getByText('Text'));
  await act(() => vi.advanceTimersByTimeAsync(toastMs));
  expect(button.getAttribute('aria-expanded')).toBe('false');
});
