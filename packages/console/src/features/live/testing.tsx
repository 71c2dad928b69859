// What the tests of the Live page share: a stream, a server that answers the page's calls, the page in its frame.
import { type Environment, endpoints, type LiveStream, type Locale } from '@srs-stack/contract';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { createQueryClient } from '../../api/query-client.ts';
import { EnvironmentContext } from '../../app/access/environment.ts';
import { CurrentLocale } from '../../app/current-locale.ts';
import { Providers } from '../../app/providers.tsx';
import { i18next, startI18n } from '../../i18n/i18n.ts';
import type { LiveAnswer } from './card/live-card-state.ts';
import LivePage from './live-page.tsx';

/** A healthy 720p stream of OBS, one hour old. */
export function liveStreamFixture(change: Partial<LiveStream> = {}): LiveStream {
  return {
    id: 'vid-0a1b2c3',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'livestream',
    publisherProtocol: 'rtmp',
    publisherIp: '10.0.0.7',
    publisherClientId: 'abcdefgh',
    hasMedia: true,
    uptimeMs: 3_600_000,
    video: { codec: 'H264', profile: 'High', level: '3.1', width: 1280, height: 720 },
    audio: { codec: 'AAC', sampleRate: 44_100, channels: 2, profile: 'LC' },
    fps: 30,
    keyframeIntervalMs: 2_000,
    bitrateKbps: 2_500,
    bitrateHistoryKbps: Array.from({ length: 60 }, () => 2_500),
    viewers: 3,
    viewersByProtocol: { flv: 2, hls: 1 },
    receivedBytes: 1_000_000,
    sentBytes: 3_000_000,
    ...change,
  };
}

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

/** The part of the server the page talks to; change the fields, the next call sees it. */
export interface FakeServer {
  live: LiveAnswer;
  secret: { publish: string; pubNoAuth: boolean };
  kicked: unknown[];
  /** Answers by path; anything else is a 404. */
  answer(path: string, init: RequestInit): Promise<Response>;
}

export function createFakeServer(): FakeServer {
  const server: FakeServer = {
    live: { mediaServer: true, streams: [], refusals: [] },
    secret: { publish: 'topsecret', pubNoAuth: false },
    kicked: [],
    async answer(path, init) {
      const body: unknown = JSON.parse(String(init.body ?? '{}'));
      if (path === endpoints.queryLive.path) return success(server.live);
      if (path === endpoints.queryPublishSecret.path) return success(server.secret);
      if (path === endpoints.kickStream.path) {
        server.kicked.push(body);
        server.live = { ...server.live, streams: [] };
        return success(null);
      }
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
  /** With the query of the page. */
  url?: string;
}

/** Renders the page in a language; `fetch` must be the fake server's by then. */
export async function renderLivePage(locale: Locale, options: RenderOptions = {}): Promise<void> {
  const { environment: change = {}, url = '/' } = options;
  if (!i18next.isInitialized) await startI18n(locale, ['common', 'live']);
  await i18next.changeLanguage(locale);
  await i18next.loadNamespaces(['common', 'live']);
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
