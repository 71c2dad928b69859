import { storageKeys } from '@srs-stack/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

test('title and ICP filing number are saved one by one, shown immediately, and emptied again', async () => {
  const texts: Record<string, string> = {};
  const server = startFakeServer({
    queryBeian: () => ({ ...texts }),
    updateBeian: ({ beian, text }) => {
      texts[beian] = text; // the server omits empty texts; '' is displayed instead
      return null;
    },
  });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await renderApp('/en/routers-settings?tab=beian', 'en');
  const title = await screen.findByLabelText('Title');
  const [saveTitle] = screen.getAllByRole<HTMLButtonElement>('button', { name: 'Save' });
  await userEvent.type(title, 'My channel');
  await userEvent.click(saveTitle!);
  await waitFor(() => expect(document.title).toBe('My channel'));
  await userEvent.type(screen.getByLabelText('ICP number'), 'ICP 1{enter}');
  expect(await screen.findByRole('link', { name: 'ICP 1' })).toBeTruthy();
  expect(server.callsOf('updateBeian').map(({ body }) => [body.beian, body.text])).toEqual([
    ['title', 'My channel'],
    ['icp', 'ICP 1'],
  ]);

  await userEvent.clear(title);
  await userEvent.click(saveTitle!);
  await waitFor(() => expect(document.title).toBe('SRS Stack'));
  await userEvent.clear(screen.getByLabelText('ICP number'));
  await userEvent.type(screen.getByLabelText('ICP number'), '{enter}');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'ICP 1' })).toBeNull());
});

test('markup is shown as text, in the footer and in the field', async () => {
  const markup = '<img src=x onerror="alert(1)"><b>bold</b>';
  startFakeServer({ queryBeian: () => ({ title: markup, icp: markup }) });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await renderApp('/en/routers-settings?tab=beian', 'en');
  expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe(markup);
  expect((await screen.findAllByText(markup)).length).toBeGreaterThan(0);
  expect(document.title).toBe(markup);
  expect(document.querySelector('img[src="x"], footer b')).toBeNull();
});

test('the form shows a conflict and keeps the typed text', async () => {
  const server = startFakeServer({
    queryBeian: () => ({ title: 'old' }),
    updateBeian: () => new Refusal('settingsChanged'),
  });
  localStorage.setItem(storageKeys.token, JSON.stringify(testSession));
  await renderApp('/en/routers-settings?tab=beian', 'en');
  await userEvent.type(await screen.findByLabelText('Title'), ' and mine');
  await userEvent.click(screen.getAllByRole('button', { name: 'Save' })[0]!);
  expect(await screen.findByText('Someone else saved these settings in the meantime.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('old and mine');
  expect(server.callsOf('updateBeian')[0]!.body).toMatchObject({ text: 'old and mine', previous: 'old' });
});
