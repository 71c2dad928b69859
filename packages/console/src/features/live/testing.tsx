// Common code of the tests of the Live page: a stream, a fake server for the calls of the page, and the page in its frame.
import type { Environment, Locale, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import type { WatchMode } from '@srs-stack/contract/values/watching.ts';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { createQueryClient } from '../../api/query-client.ts';
import { i18next, startI18n } from '../../i18n/i18n.ts';
import { CurrentLocale } from '../../navigation/current-locale.ts';
import { EnvironmentContext } from '../../shared/environment.ts';
import { Providers } from '../../shared/providers.tsx';
import type { LiveResponse } from './card/live-card-state.ts';
import LivePage from './live-page.tsx';

export { liveStreamFixture } from '../../testing/live-stream-fixture.ts';

const environment: Environment = {
  mgmtDocker: true,
  platformDocker: false,
  candidate: false,
  rtmpPort: '1935',
  httpPort: '2022',
  srtPort: '10080',
  rtcPort: '8000',
  forwardLimit: 10,
  vLiveLimit: 10,
  cameraLimit: 10,
};

/** Responses to the calls of the page. A changed field applies to the next call. */
export interface FakeServer {
  live: LiveResponse;
  secret: { publish: string; pubNoAuth: boolean; revision: string };
  kicked: unknown[];
  components: ResponseOf<typeof calls.queryComponents>;
  watchMode: WatchMode;
  watchKeys: ResponseOf<typeof calls.queryWatching>['keys'];
  linked: unknown[];
  respond(path: string, init: RequestInit): Promise<Response>;
}

export function createFakeServer(): FakeServer {
  const server: FakeServer = {
    live: { mediaServer: true, streams: [], refusals: [] },
    secret: { publish: 'topsecret', pubNoAuth: false, revision: 'r1' },
    kicked: [],
    watchMode: 'open',
    watchKeys: [],
    linked: [],
    components: {
      components: [],
      mediaServer: { engine: 'embedded', api: '', isUp: true, version: '', abilities: [] },
    },
    async respond(path, init) {
      const body: unknown = JSON.parse(String(init.body ?? '{}'));
      if (path === calls.queryLive.path) return success(server.live);
      if (path === calls.queryPublishSecret.path) return success(server.secret);
      if (path === calls.kickStream.path) {
        server.kicked.push(body);
        server.live = { ...server.live, streams: [] };
        return success(null);
      }
      if (path === calls.queryWatchAccess.path) return success({ mode: server.watchMode });
      if (path === calls.queryWatching.path) {
        const { watchKeys: keys } = server;
        return success({ rules: [], keys, renewalSeconds: 10, viewerReports: true, revision: 'r1' });
      }
      if (path === calls.createWatchLink.path) {
        server.linked.push(body);
        return success({ query: 'watch=k1.2.3', expiresAt: 1_900_000_000, keyId: 'k1' });
      }
      if (path === calls.queryComponents.path) return success(server.components);
      return new Response('', { status: 404 });
    },
  };
  return server;
}

function success(data: unknown): Response {
  return Response.json({ code: 0, server: 1, data });
}

export interface RenderOptions {
  environment?: Partial<Environment>;
  url?: string;
}

/** Renders the page in a language. The fake server must already have replaced `fetch`. */
export async function renderLivePage(locale: Locale, options: RenderOptions = {}): Promise<void> {
  const { environment: change = {}, url = '/' } = options;
  if (!i18next.isInitialized) await startI18n(locale, ['common', 'live', 'stream-health']);
  await i18next.changeLanguage(locale);
  await i18next.loadNamespaces(['common', 'live', 'stream-health']);
  render(
    <Providers client={createQueryClient()}>
      <MemoryRouter initialEntries={[url]}>
        <CurrentLocale value={locale}>
          <EnvironmentContext value={{ ...environment, ...change }}>
            <LivePage />
          </EnvironmentContext>
        </CurrentLocale>
      </MemoryRouter>
    </Providers>,
  );
}
