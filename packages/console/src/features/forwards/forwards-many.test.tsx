// Actions on many targets: start and stop all or a group, copy settings, import a list.
import { type ForwardTarget, storageKeys } from '@srs-stack/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../testing/fake-server.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { idleWorker } from '../../testing/worker-fixture.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const target = (platform: string, change: Partial<ForwardTarget> = {}): ForwardTarget => ({
  ...{ platform, server: `rtmp://${platform}.example/live/`, secret: 'key-of-mine', enabled: false },
  ...{ custom: true, label: platform, stream: '' },
  ...change,
});

function startServer(saved: ForwardTarget[]) {
  const targets = new Map(saved.map((entry) => [entry.platform, entry]));
  return startFakeServer({
    forwardSecret: ({ action, token: _token, ...fields }) => {
      if (action !== 'update') return Object.fromEntries(targets);
      targets.set(fields.platform!, fields as ForwardTarget);
      return null;
    },
    forwardStreams: () =>
      [...targets.values()].map(({ platform, enabled, custom, label }) => ({
        ...{ platform, enabled, custom, label },
        ...idleWorker,
      })),
    switchForwards: ({ enabled, group }) => {
      const others = [...targets.values()].filter(
        (each) => each.enabled !== enabled && (group === undefined || each.group === group),
      );
      for (const each of others) targets.set(each.platform, { ...each, enabled });
      return { changed: others.length };
    },
    importForwards: ({ targets: rows, preview }) => {
      const judged = rows.map(({ server }) =>
        server?.startsWith('http')
          ? { error: { message: 'refused', name: 'invalidRequest', reason: { key: 'target.duplicate', values: {} } } }
          : {},
      );
      const isGood = judged.every((row) => !('error' in row));
      return { rows: judged, added: preview === false && isGood ? rows.length : 0 };
    },
  });
}

const open = () => renderApp('/en/routers-scenario?tab=forward', 'en');
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const bodyOf = (server: ReturnType<typeof startServer>, name: 'switchForwards' | 'importForwards') =>
  server.callsOf(name).map(({ body: { token: _, ...body } }) => body);

test('all targets are started at once; stopping them names the consequence first', async () => {
  const server = startServer([target('forwarding-1', { enabled: true }), target('forwarding-2')]);
  await open();
  await screen.findByText('1 of 2 on');
  await press('Start all');
  await screen.findByText('2 of 2 on');
  await press('Stop all');
  expect(await screen.findByText(/^2 targets will be stopped/)).toBeTruthy();
  expect(server.callsOf('switchForwards')).toHaveLength(1);
  await press('Continue');
  await screen.findByText('0 of 2 on');
  expect(bodyOf(server, 'switchForwards')).toEqual([{ enabled: true }, { enabled: false }]);
});

test('a group is switched separately', async () => {
  const server = startServer([
    target('forwarding-1', { enabled: true }),
    target('forwarding-2', { group: 'Monday' }),
    target('forwarding-3', { group: 'Monday' }),
  ]);
  await open();
  await press('Start the group Monday');
  await screen.findByText('2 of 2 on');
  await press('Stop the group Monday');
  await press('Continue');
  await screen.findByText('0 of 2 on');
  expect(bodyOf(server, 'switchForwards')).toEqual([
    { enabled: true, group: 'Monday' },
    { enabled: false, group: 'Monday' },
  ]);
});

test('a copy begins with the settings of a target, without its name and key', async () => {
  const server = startServer([target('forwarding-1', { label: 'Church', group: 'Monday', stream: 'lobby' })]);
  await open();
  const panelOf = async (name: RegExp) => {
    const control = await screen.findByRole('button', { name });
    return within(document.getElementById(control.getAttribute('aria-controls')!)!);
  };
  await press(/^Church/);
  await userEvent.click((await panelOf(/^Church/)).getByRole('button', { name: 'Copy settings' }));
  const panel = await panelOf(/^New target/);
  const typed = (name: string) => panel.getByLabelText<HTMLInputElement>(name, { selector: 'input' }).value;
  expect(['Name', 'Server', 'Stream key', 'Source stream', 'Group (optional)'].map(typed)).toEqual([
    ...['', 'rtmp://forwarding-1.example/live/', '', 'lobby', 'Monday'],
  ]);
  await userEvent.type(panel.getByLabelText('Name', { selector: 'input' }), 'Hall');
  await userEvent.click(panel.getByRole('button', { name: 'Save' }));
  await panelOf(/^Hall/);
  const saved = server.callsOf('forwardSecret').find(({ body }) => body.action === 'update')?.body;
  expect(saved).toMatchObject({ label: 'Hall', secret: '', group: 'Monday', enabled: false });
  expect(saved?.platform).not.toBe('forwarding-1');
});

test('a list is previewed with an error per row, and only the valid rows are imported', async () => {
  const server = startServer([]);
  await open();
  await press('Import a list');
  const field = await screen.findByLabelText('List');
  await press('Preview');
  expect(await screen.findByText('The list has no targets.')).toBeTruthy();
  await userEvent.click(field);
  await userEvent.paste(
    'name,server,key\nOne,rtmp://one.example/live,k1\nTwo,http://two.example,k2\nThree,srt://three:1,',
  );
  await press('Preview');
  const table = within(await screen.findByRole('table'));
  const states = table.getAllByRole('row').slice(1);
  expect(states.map((row) => row.lastElementChild?.textContent)).toEqual([
    ...['OK', 'Another target has the same server and key.', 'OK'],
  ]);
  expect(screen.queryByText('k1')).toBeNull();
  expect(screen.getByText('1 row cannot be imported and is left out.')).toBeTruthy();
  await press('Import 2 targets');
  await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
  const [preview, stored] = bodyOf(server, 'importForwards') as { targets: { label: string }[]; preview: boolean }[];
  expect(preview).toMatchObject({ preview: true });
  expect(stored).toMatchObject({ preview: false });
  expect(stored?.targets.map(({ label }) => label)).toEqual(['One', 'Three']);
});
