import { componentNames, type endpoints, type ResponseOf, storageKeys } from '@srs-stack/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { Refusal, startFakeServer, testSession } from '../../testing/fake-server.ts';
import { liveStreamFixture } from '../../testing/live-stream-fixture.ts';
import { renderApp } from '../../testing/render-app.tsx';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

type Answer = ResponseOf<typeof endpoints.queryComponents>;
const embedded: Answer['mediaServer'] = {
  engine: 'embedded',
  api: '127.0.0.1:1985',
  isUp: true,
  version: 'srs-stack/0.1.0',
  abilities: ['streams', 'kick', 'reload', 'refusals', 'measurements'],
};
const all = (part: Partial<Answer['components'][number]> = {}): Answer['components'] =>
  componentNames.map((name) => ({ name, state: 'running', enabled: true, ...part }));

test('a component is switched off after a confirmation and on again without one', async () => {
  let components = all();
  const server = startFakeServer({
    queryComponents: () => ({ components, mediaServer: embedded }),
    updateComponent: ({ name, enabled }) => {
      components = components.map((each) =>
        each.name === name ? { ...each, enabled, state: enabled ? 'running' : 'off' } : each,
      );
      return null;
    },
  });
  await renderApp('/en/routers-components', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /Disable\s*SRT/ }));
  expect(screen.getByText(/SRT stops immediately/)).toBeTruthy();
  expect(server.callsOf('updateComponent')).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('SRT disabled')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /Enable\s*SRT/ }));
  expect(await screen.findByText('SRT enabled')).toBeTruthy();
  expect(server.callsOf('updateComponent').map(({ body }) => [body.name, body.enabled])).toEqual([
    ['srt', false],
    ['srt', true],
  ]);
});

test('a refused switch is explained and nothing changes', async () => {
  startFakeServer({
    queryComponents: () => ({ components: all(), mediaServer: embedded }),
    updateComponent: () => new Refusal('mediaServerUnreachable'),
  });
  await renderApp('/en/routers-components', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /Disable\s*HLS/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The media server is not responding.');
  expect(screen.getByRole('button', { name: /Disable\s*HLS/ })).toBeTruthy();
});

test('with an SRS the page lists what is not supported, why, and the alternative', async () => {
  const mediaServer: Answer['mediaServer'] = {
    ...embedded,
    engine: 'srs',
    version: 'SRS 5.0.213',
    abilities: ['streams', 'kick'],
  };
  startFakeServer({ queryComponents: () => ({ components: all({ state: 'foreign' }), mediaServer }) });
  await renderApp('/zh/routers-components');
  expect(await screen.findByText('外部 SRS')).toBeTruthy();
  expect(screen.getByText(/断开推流：可用/)).toBeTruthy();
  expect(screen.getByText(/请在 SRS 配置中打开 raw_api 的 allow_reload/)).toBeTruthy();
  expect(screen.getByText('MEDIA_SERVER=embedded')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /停用/ })).toBeNull();
});

test('several media servers are listed with their state, and their configurations are offered', async () => {
  const server = (name: string, isUp: boolean) => ({
    ...embedded,
    name,
    api: name,
    isUp,
    version: isUp ? 'SRS 5' : '',
  });
  const mediaServer: Answer['mediaServer'] = {
    ...embedded,
    engine: 'srs',
    servers: [server('10.0.0.5:1985', true), server('10.0.0.6:1985', false)],
  };
  const configuration = (role: 'origin' | 'edge') => ({
    role,
    server: '10.0.0.5:1985',
    fileName: `srs-${role}.conf`,
    text: `# ${role}\nlisten 1935;\n`,
  });
  startFakeServer({
    queryComponents: () => ({ components: all({ state: 'foreign' }), mediaServer }),
    querySrsConfigs: () => ({ configurations: [configuration('origin'), configuration('edge')] }),
  });
  await renderApp('/en/routers-components', 'en');
  const list = within(await screen.findByRole('list', { name: 'Media servers' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/10\.0\.0\.5:1985.*SRS 5.*Up/),
    expect.stringMatching(/10\.0\.0\.6:1985.*Not responding/),
  ]);
  expect(screen.getByText('1 of 2 not responding')).toBeTruthy();
  await userEvent.click(screen.getByText('SRS configuration'));
  expect(await screen.findByText(/# origin/)).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Edge' }));
  const link = screen.getByRole('link', { name: 'Download srs-edge.conf' });
  expect(link.getAttribute('download')).toBe('srs-edge.conf');
  expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain('# edge\nlisten 1935;');
});

test('HLS that was switched on with an SRS: live streams are named, and their publishers can be reconnected', async () => {
  let enabled = false;
  const mediaServer: Answer['mediaServer'] = { ...embedded, engine: 'srs', version: 'SRS 5.0.216' };
  const live = liveStreamFixture({ app: 'live', stream: 'camera' });
  const server = startFakeServer({
    queryComponents: () => ({
      components: all({ state: 'foreign' }).map((row) =>
        row.name === 'hls' ? { ...row, enabled, state: enabled ? 'running' : 'off' } : row,
      ),
      mediaServer,
    }),
    updateComponent: (request) => {
      enabled = request.enabled;
      return null;
    },
    queryLive: () => ({ mediaServer: true, streams: [live], refusals: [] }),
    kickStream: () => null,
  });
  await renderApp('/en/routers-components', 'en');
  await userEvent.click(await screen.findByRole('button', { name: /Enable\s*HLS/ }));
  expect(await screen.findByText(/One live stream has no HLS until its encoder reconnects/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Reconnect publishers' }));
  expect(await screen.findByText(/Publishers disconnected/)).toBeTruthy();
  expect(server.callsOf('kickStream').map(({ body }) => [body.app, body.stream])).toEqual([['live', 'camera']]);
  expect(screen.queryByText(/One live stream has no HLS/)).toBeNull();
});
