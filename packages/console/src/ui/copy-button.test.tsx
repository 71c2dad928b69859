import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { CopyField } from './copy-field.tsx';

test('copies the value and names it', async () => {
  await renderPart(<CopyField label="Stream key" value="livestream?secret=1" />);
  const user = userEvent.setup();
  vi.stubGlobal('isSecureContext', true);
  await user.click(screen.getByRole('button', { name: 'Copy Stream key' }));
  expect(await screen.findByText('Copied: Stream key')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('livestream?secret=1');
});

test('on a plain-HTTP page the selection is copied instead', async () => {
  vi.stubGlobal('isSecureContext', false);
  let copied = '';
  document.execCommand = () => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  };
  await renderPart(<CopyField label="Server" value="rtmp://host/live/" />);
  await userEvent.click(screen.getByRole('button', { name: 'Copy Server' }));
  expect(await screen.findByText('Copied: Server')).toBeTruthy();
  expect(copied).toBe('rtmp://host/live/');
});

test('where the browser refuses its clipboard to the page, the selection is copied instead', async () => {
  vi.stubGlobal('isSecureContext', true);
  let copied = '';
  document.execCommand = () => {
    copied = (document.activeElement as HTMLTextAreaElement).value;
    return true;
  };
  await renderPart(<CopyField label="Server" value="rtmp://host/live/" />);
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('denied', 'NotAllowedError'));
  await user.click(screen.getByRole('button', { name: 'Copy Server' }));
  expect(await screen.findByText('Copied: Server')).toBeTruthy();
  expect(copied).toBe('rtmp://host/live/');
});

test('a refused copy alerts with the reason', async () => {
  vi.stubGlobal('isSecureContext', false);
  document.execCommand = () => false;
  await renderPart(<CopyField label="Server" value="x" />);
  await userEvent.click(screen.getByRole('button', { name: 'Copy Server' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('please copy it manually');
  expect(alert.textContent).toContain('the browser refused');
});

test('a secret is masked until shown', async () => {
  await renderPart(<CopyField label="Key" value="hidden-value" secret />);
  expect(screen.queryByText('hidden-value')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show Key' }));
  expect(screen.getByText('hidden-value')).toBeTruthy();
});
