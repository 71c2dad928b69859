// Which live stream a worker takes as its source, the newest that carries media or the named one, and how FFmpeg reads it: over RTMP,
// but HEVC as MPEG-TS, because FLV with HEVC is known to FFmpeg since 6.1 only.
import { type ActiveStream, defaultVhost } from '@srs-stack/contract';
import { streamUrl } from '../callbacks/stream-url.ts';
import type { Watching } from '../watching/watching.ts';

/** One look at the media server serves all workers for this long, milliseconds. */
const cacheMs = 250;
const defaultRtmpPort = 1935;
/** Codec as the media server names it, that is read as MPEG-TS. */
const readAsTs = 'HEVC';

interface StreamSource {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** `app/stream`. */
  readonly url: string;
  /** Address on this machine, with what opens it. */
  readonly address: string;
  /** What in it is nobody's business. */
  readonly secrets: readonly string[];
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
  /** True while its publisher sends pictures; false while that is not known. */
  hasPicture(source: StreamSource): Promise<boolean>;
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
        video: { readonly codec: string } | null;
        audio: object | null;
        /** Of the embedded engine, which alone has MPEG-TS at a known address. */
        details: { hasMedia: boolean; fps: number } | undefined;
      }>
    >;
  };
  readonly boundPorts: () => Promise<{ rtmp: number | null; http: number | null } | undefined>;
  /** `flv` is whether streams are played over HTTP. */
  readonly components: { isEnabled(name: 'flv'): boolean };
  /** What this installation reads a stream by that not everybody may watch. */
  readonly watching?: Pick<Watching, 'ownQuery'>;
  readonly nowMs?: () => number;
}

interface Look {
  readonly active: readonly { vhost: string; app: string; stream: string; url: string }[];
  /** Streams with media by URL; undefined while the media server does not answer. */
  readonly withMedia: ReadonlyMap<string, Media> | undefined;
}

interface Media {
  /** MPEG-TS is to be had, and what FFmpeg is to read. */
  readonly asTs: boolean;
  readonly hasPicture: boolean;
}

export function createStreamSources(deps: StreamSourcesDeps): StreamSources {
  const { nowMs = () => performance.now() } = deps;
  let cached: { atMs: number; look: Promise<Look> } | undefined;

  const look = (): Promise<Look> => {
    if (!cached || nowMs() - cached.atMs >= cacheMs) cached = { atMs: nowMs(), look: lookNow(deps) };
    return cached.look;
  };

  const addressOf = async (key: { vhost: string; app: string; stream: string }, asTs: boolean) => {
    const { vhost, app, stream } = key;
    const ports = await deps.boundPorts();
    const pairs = vhost === defaultVhost ? [] : [`vhost=${encodeURIComponent(vhost)}`];
    const right = deps.watching?.ownQuery('reader', key).query ?? '';
    const all = right === '' ? pairs : [...pairs, right];
    const query = all.length === 0 ? '' : `?${all.join('&')}`;
    const secrets = right === '' ? [] : [right];
    if (asTs && ports?.http && deps.components.isEnabled('flv')) {
      return { address: `http://127.0.0.1:${ports.http}/${app}/${encodeURIComponent(stream)}.ts${query}`, secrets };
    }
    return { address: `rtmp://127.0.0.1:${ports?.rtmp ?? defaultRtmpPort}/${app}/${stream}${query}`, secrets };
  };

  return {
    async choose(accepts) {
      const { active, withMedia } = await look();
      const candidates = active.filter(accepts);
      if (candidates.length === 0) return { kind: 'none' };
      if (!withMedia) return { kind: 'away' };
      const found = candidates.find(({ url }) => withMedia.has(url));
      if (!found) return { kind: 'none' };
      const { asTs } = withMedia.get(found.url)!;
      return { kind: 'found', source: { ...found, ...(await addressOf(found, asTs)) } };
    },
    isLive: async ({ url }) => (await look()).active.some((each) => each.url === url),
    hasPicture: async ({ url }) => (await look()).withMedia?.get(url)?.hasPicture ?? false,
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
  if (active.length === 0) return { active, withMedia: new Map() };
  const streams = await deps.mediaServer.listStreams().catch(() => undefined);
  if (!streams) return { active, withMedia: undefined };
  const carrying = streams.filter(
    ({ isPublished, details, video, audio }) =>
      isPublished && (details?.hasMedia ?? (video !== null || audio !== null)),
  );
  const media = carrying.map((stream): [string, Media] => [streamUrl(stream), toMedia(stream)]);
  return { active, withMedia: new Map(media) };
}

function toMedia({
  video,
  details,
}: Awaited<ReturnType<StreamSourcesDeps['mediaServer']['listStreams']>>[number]): Media {
  const hasPicture = details ? details.fps > 0 : video !== null;
  return { asTs: details !== undefined && video?.codec === readAsTs, hasPicture };
}
