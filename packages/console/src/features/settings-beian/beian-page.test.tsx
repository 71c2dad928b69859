import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';

test('title and registration line are saved one by one, and shown at once', async () => {
  const texts: Record<string, string> = {};
  const server = startFakeServer({
    queryBeian: () => ({ ...texts }),
    updateBeian: ({ beian, text }) => {
      texts[beian] = text;
      return null;
    },
  });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await renderApp('/en/routers-settings?tab=beian', 'en');
  const title = await screen.findByLabelText('Title');
  const [saveTitle] = screen.getAllByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(saveTitle!.disabled).toBe(true);
  await userEvent.type(title, 'My channel');
  await userEvent.click(saveTitle!);
  await waitFor(() => expect(document.title).toBe('My channel'));
  await userEvent.type(screen.getByLabelText('ICP number'), 'ICP 1{enter}');
  expect(await screen.findByRole('link', { name: 'ICP 1' })).toBeTruthy();
  expect(server.callsOf('updateBeian').map(({ body }) => [body.beian, body.text])).toEqual([
    ['title', 'My channel'],
    ['icp', 'ICP 1'],
  ]);
});
