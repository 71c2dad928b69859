import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { startI18n } from '../i18n/i18n.ts';
import { Providers } from './providers.tsx';
import { QueryPlaceholder } from './query-placeholder.tsx';

async function show(error: unknown) {
  await startI18n('en', ['common', 'errors']);
  const refetch = vi.fn(async () => undefined);
  render(
    <Providers client={createQueryClient()} env="test">
      <MemoryRouter initialEntries={['/en']}>
        <QueryPlaceholder query={{ error, refetch }} skeleton={<p>being loaded</p>} />
      </MemoryRouter>
    </Providers>,
  );
  return refetch;
}

test('only the skeleton is shown until the query has failed', async () => {
  await show(null);
  expect(screen.getByText('being loaded')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a failed query shows its error without the skeleton, and retries', async () => {
  const refetch = await show(new Error('no response'));
  expect(screen.queryByText('being loaded')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalledOnce();
});
