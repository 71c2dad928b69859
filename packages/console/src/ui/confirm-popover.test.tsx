import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPart } from '../testing/render-part.tsx';
import { ConfirmPopover } from './confirm-popover.tsx';

const show = async () => {
  const onConfirm = vi.fn();
  await renderPart(
    <ConfirmPopover text="3 viewers of lobby will be cut." onConfirm={onConfirm} dangerous>
      <button type="button">Kick</button>
    </ConfirmPopover>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Kick' }));
  const popover = await screen.findByRole('dialog', { name: 'Confirm' });
  return { onConfirm, popover };
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name, hidden: true }));
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

test('the popover states the consequence, and only Continue confirms', async () => {
  const { onConfirm, popover } = await show();
  expect(popover.textContent).toContain('3 viewers of lobby will be cut.');
  expect(onConfirm).not.toHaveBeenCalled();
  await press('Continue');
  expect(onConfirm).toHaveBeenCalledTimes(1);
  await isClosed();
});

test.each([
  ['Abort', () => press('Abort')],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s changes nothing', async (_way, leave) => {
  const { onConfirm } = await show();
  await leave();
  await isClosed();
  expect(onConfirm).not.toHaveBeenCalled();
});
