// Which live stream a worker takes as its source: the newest that carries media, or the named one.
import { type ActiveStream, defaultVhost } from '@srs-stack/contract';
import { streamUrl } from '../callbacks/stream-url.ts';

/** One look at the media server serves all workers for this long, milliseconds. */
const cacheMs = 250;
const defaultRtmpPort = 1935;

interface StreamSource {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** `app/stream`. */
  readonly url: string;
  /** RTMP address on this machine. */
  readonly address: string;
}

type SourceChoice =
  | { readonly kind: 'found'; readonly source: StreamSource }
  | { readonly kind: 'none' }
  | { readonly kind: 'away' };

export interface StreamSources {
  /** `accepts` leaves out streams, e.g. the worker's own output. */
  choose(accepts: (stream: { app: string; stream: string }) => boolean): Promise<SourceChoice>;
  /** True while somebody publishes the stream. */
  isLive(source: StreamSource): Promise<boolean>;
}

export interface StreamSourcesDeps {
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
  readonly mediaServer: {
    listStreams(): Promise<
      ReadonlyArray<{
        vhost: string;
        app: string;
        stream: string;
        isPublished: boolean;
        video: object | null;
        audio: object | null;
        details: { hasMedia: boolean } | undefined;
      }>
    >;
  };
  readonly boundPorts: () => Promise<{ rtmp: number | null } | undefined>;
  readonly nowMs?: () => number;
}

interface Look {
  readonly active: readonly { vhost: string; app: string; stream: string; url: string }[];
  /** URLs of streams with media; undefined while the media server does not answer. */
  readonly withMedia: ReadonlySet<string> | undefined;
}

export function createStreamSources(deps: StreamSourcesDeps): StreamSources {
  const { nowMs = () => performance.now() } = deps;
  let cached: { atMs: number; look: Promise<Look> } | undefined;

  const look = (): Promise<Look> => {
    if (!cached || nowMs() - cached.atMs >= cacheMs) cached = { atMs: nowMs(), look: lookNow(deps) };
    return cached.look;
  };

  const addressOf = async ({ vhost, app, stream }: { vhost: string; app: string; stream: string }) => {
    const port = (await deps.boundPorts())?.rtmp ?? defaultRtmpPort;
    const query = vhost === defaultVhost ? '' : `?vhost=${encodeURIComponent(vhost)}`;
    return `rtmp://127.0.0.1:${port}/${app}/${stream}${query}`;
  };

  return {
    async choose(accepts) {
      const { active, withMedia } = await look();
      const candidates = active.filter(accepts);
      if (candidates.length === 0) return { kind: 'none' };
      if (!withMedia) return { kind: 'away' };
      const found = candidates.find(({ url }) => withMedia.has(url));
      if (!found) return { kind: 'none' };
      return { kind: 'found', source: { ...found, address: await addressOf(found) } };
    },
    isLive: async ({ url }) => (await look()).active.some((each) => each.url === url),
  };
}

/** The media server is asked only when there is something to ask about. */
async function lookNow(deps: StreamSourcesDeps): Promise<Look> {
  const rows = await deps.activeStreams.list();
  const active = rows.map(({ vhost = defaultVhost, app = '', stream = '' }) => ({
    vhost,
    app,
    stream,
    url: streamUrl({ vhost, app, stream }),
  }));
  if (active.length === 0) return { active, withMedia: new Set() };
  const streams = await deps.mediaServer.listStreams().catch(() => undefined);
  if (!streams) return { active, withMedia: undefined };
  const carrying = streams.filter(
    ({ isPublished, details, video, audio }) =>
      isPublished && (details?.hasMedia ?? (video !== null || audio !== null)),
  );
  return { active, withMedia: new Set(carrying.map(streamUrl)) };
}
