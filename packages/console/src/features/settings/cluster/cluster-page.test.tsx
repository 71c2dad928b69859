import { type endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';
import { joinCommand } from './join-command.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

type Cluster = ResponseOf<typeof endpoints.queryCluster>;
const load = {
  ...{ cpu: 0.5, cores: 4, memoryUsedBytes: 1e9, memoryTotalBytes: 4e9, receivedBps: 2e6, sentBps: 8e6 },
  ...{ streams: 2, viewers: 31 },
};
const north: Cluster['nodes'][number] = {
  ...{ id: 'aa', name: 'north', isSelf: true, address: '10.0.0.1:2444', version: '7.1.0', gateways: 2 },
  ...{ startedAt: '2026-01-02T03:04:05Z', state: 'running', load, tasks: { forward: 2, vlive: 0, transcode: 1 } },
  onlyHere: { recordings: 12, files: 1 },
};
const south: Cluster['nodes'][number] = {
  ...{ ...north, id: 'bb', name: 'south', isSelf: false, tasks: { forward: 0, vlive: 0, transcode: 0 } },
  load: null,
};
const two: Cluster = { isShared: true, name: 'srs-stack', store: 'redis://cache', nodes: [north, south], troubles: [] };
const join = { url: 'redis://:pass@cache', secret: "it's sixteen long", name: 'studio' };

function start(cluster: Cluster) {
  const state = { cluster };
  const server = startFakeServer({
    queryCluster: () => state.cluster,
    queryClusterJoin: () => join,
    drainNode: ({ node, draining }) => {
      const nodes = state.cluster.nodes.map((each) =>
        each.id === node ? { ...each, state: draining ? ('draining' as const) : ('running' as const) } : each,
      );
      state.cluster = { ...state.cluster, nodes };
      return null;
    },
  });
  return { server, state };
}
const open = () => renderApp('/en/routers-settings?tab=cluster', 'en');
const node = async (name: string) => within((await screen.findByText(name)).closest('li')!);

test('a single server shows what a cluster provides and how to start one', async () => {
  start({ ...two, isShared: false, nodes: [north] });
  await open();
  expect(await screen.findByText('This server runs standalone')).toBeTruthy();
  expect(screen.getByText(/npm run move-store/)).toBeTruthy();
  expect(screen.queryByText('Drain')).toBeNull();
});

test('the servers are shown with their load and tasks, and each problem as a sentence', async () => {
  start({
    ...two,
    troubles: [
      { kind: 'clock-off', seconds: -12 },
      { kind: 'tasks-nowhere', count: 2 },
    ],
  });
  await open();
  const first = await node('north');
  for (const text of ['This server', '10.0.0.1:2444', '7.1.0', '31', '2 forwards · 1 transcode']) first.getByText(text);
  (await node('south')).getByText('This server has not reported its load yet.');
  expect(screen.getByText('The clock of this server differs from the store by 12 s')).toBeTruthy();
  expect(screen.getByText('2 tasks are not run by any server')).toBeTruthy();
});

test('a server is drained after a confirmation, its progress is shown, and draining ends', async () => {
  const { server } = start(two);
  await open();
  await userEvent.click((await node('south')).getByRole('button', { name: 'Drain' }));
  expect(screen.getByText(/^south will accept no new publishers/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('No clients are connected. You can stop or upgrade the server now.')).toBeTruthy();
  await userEvent.click((await node('north')).getByRole('button', { name: 'Drain' }));
  expect(screen.getByText(/^north is the only running server/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Abort' }));
  await userEvent.click((await node('south')).getByRole('button', { name: 'End draining' }));
  await (await node('south')).findByRole('button', { name: 'Drain' });
  expect(server.callsOf('drainNode').map(({ body }) => body)).toMatchObject([
    { node: 'bb', draining: true },
    { node: 'bb', draining: false },
  ]);
});

test('the two values are fetched only on request, and can be hidden again', async () => {
  const { server } = start(two);
  await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Show the two values' }));
  expect(await screen.findByText(join.secret)).toBeTruthy();
  expect(screen.getByText(join.url)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Hide the values' }));
  expect(document.body.textContent).not.toContain(join.secret);
  expect(server.callsOf('queryClusterJoin')).toHaveLength(1);
});

test('the command quotes the values for a shell', () => {
  expect(joinCommand(join)).toBe(
    [
      'mkdir -p data/config',
      "printf '%s\\n' 'CLUSTER_URL=redis://:pass@cache' \\",
      "  'CLUSTER_SECRET=it'\\''s sixteen long' \\",
      "  'CLUSTER_NAME=studio' >> data/config/.env",
      'npm start',
    ].join('\n'),
  );
});
