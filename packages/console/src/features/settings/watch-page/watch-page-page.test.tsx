import { storageKeys } from '@srs-stack/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

test('a stream stores only fields that differ, the preview is its page, and fields inherited from the server are not stored', async () => {
  const server = startFakeServer({
    queryWatchPages: () => ({ looks: [], revision: 'r' }),
    updateWatchPages: () => null,
  });
  await renderApp('/en/routers-settings?tab=page', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add an application or stream' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(screen.getByText(/^Write app\/stream, with \*/)).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Stream or pattern'), 'live/gala');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.type(screen.getByLabelText('Name'), 'Gala');
  expect(screen.getByTitle('Watch page of live/gala').getAttribute('src')).toMatch(
    /^\/watch\/live\/gala\?preview=1&lang=en$/,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Watch page updated')).toBeTruthy();
  expect(server.callsOf('updateWatchPages')[0]!.body).toMatchObject({
    looks: [{ pattern: 'live/gala', name: 'Gala', accent: '' }],
    revision: 'r',
  });
  expect(screen.getByText(/watch\/embed\.js" data-stream="live\/livestream"/)).toBeTruthy();
});
