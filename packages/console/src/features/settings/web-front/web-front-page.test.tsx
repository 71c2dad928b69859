import { type BalancerProgram, type ProxyLocation, storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../../testing/fake-server.ts';
import { renderApp } from '../../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const configurations = (['nginx-edge', 'nginx', 'haproxy', 'caddy'] as BalancerProgram[]).map((program) => ({
  program,
  fileName: program === 'haproxy' ? 'haproxy.cfg' : 'nginx.conf',
  text: `# text for ${program}`,
}));
const start = (locations: ProxyLocation[] = []) => {
  const state = { homepage: '/mgmt', locations, backends: [] as string[] };
  const server = startFakeServer({
    queryHomepage: () => ({ homepage: state.homepage, revision: `h ${state.homepage}` }),
    updateHomepage: ({ homepage }) => {
      state.homepage = homepage;
      return null;
    },
    queryProxyLocations: () => ({ locations: state.locations, revision: `n${state.locations.length}` }),
    updateProxyLocations: (request) => {
      state.locations = request.locations;
      return null;
    },
    queryLoadBalancer: () => ({ backends: state.backends, configurations, revision: 'b' }),
    updateLoadBalancer: ({ backends }) => {
      state.backends = backends;
      return null;
    },
  });
  return server;
};
const formOf = (title: string) => within(screen.getByRole('region', { name: title }));
const save = (title: string) => userEvent.click(formOf(title).getByRole('button', { name: 'Save' }));

test('the home page is required, suggested and saved', async () => {
  const server = start();
  await renderApp('/en/routers-settings?tab=proxy', 'en');
  const path = await screen.findByLabelText('Home path');
  await userEvent.clear(path);
  await save('Home page');
  expect(screen.getByText('Enter the home path')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Player' }));
  await save('Home page');
  expect(await screen.findByText('Home page updated')).toBeTruthy();
  expect(server.callsOf('updateHomepage')[0]!.body).toMatchObject({
    homepage: '/tools/player.html?url=/live/livestream.flv',
    revision: 'h /mgmt',
  });
});

test('paths are added, checked, saved as a list and removed; refusals are explained in place', async () => {
  const server = start();
  await renderApp('/en/routers-settings?tab=proxy', 'en');
  await userEvent.click(await screen.findByRole('button', { name: 'Add a path' }));
  await save('Reverse proxy');
  expect(screen.getByText('Enter the path')).toBeTruthy();
  expect(screen.getByText('Enter the backend address')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Path'), '/shop');
  await userEvent.type(screen.getByLabelText('Backend address'), 'http://127.0.0.1:1985');
  server.respondWith({ updateProxyLocations: () => new Refusal('backendInvalid') });
  await save('Reverse proxy');
  expect(await screen.findByText('The backend address is invalid.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Path').value).toBe('/shop');
  start([{ location: '/shop', backend: 'http://10.0.0.5' }]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove /shop' }));
  expect(screen.queryByLabelText('Path')).toBeNull();
});

test('backends are one per line; the configuration of each program can be copied', async () => {
  const server = start();
  await renderApp('/zh/routers-settings?tab=proxy');
  expect(await screen.findByText('# text for nginx-edge')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'HAProxy' }));
  expect(screen.getByText('# text for haproxy')).toBeTruthy();
  const form = formOf('负载均衡和 HLS 边缘');
  await userEvent.click(form.getByRole('button', { name: '保存' }));
  expect(screen.getByText('请输入后端服务器')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('后端服务器'), ' 10.0.0.5 {enter}{enter}live.example.com:2022');
  await userEvent.click(form.getByRole('button', { name: '保存' }));
  expect(await screen.findByText('后端服务器已更新')).toBeTruthy();
  expect(server.callsOf('updateLoadBalancer')[0]!.body).toMatchObject({
    backends: ['10.0.0.5', 'live.example.com:2022'],
  });
});
