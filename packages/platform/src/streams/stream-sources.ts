// Selects the live stream that a worker reads: the stream of a given name, or the newest stream with media. Also returns its address.
// Streams are read over RTMP. HEVC is read as MPEG-TS, because FFmpeg reads HEVC over RTMP only since 6.1.
import { type ActiveStream, defaultVhost } from '@srs-stack/contract';
import { streamUrl } from '../callbacks/stream-url.ts';
import type { Watching } from '../watching/watching.ts';

/** Cache time of the stream list, shared by all workers, milliseconds. */
const cacheMs = 250;
const defaultRtmpPort = 1935;
/** Video codec, in the media server's naming, that is read as MPEG-TS. */
const readAsTs = 'HEVC';

interface FrameSize {
  readonly width: number;
  readonly height: number;
}

interface StreamSource {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** `app/stream`. */
  readonly url: string;
  /** Codec in the media server's naming, e.g. `H264`; '' without video. */
  readonly videoCodec: string;
  readonly frame?: FrameSize | undefined;
  /** Address on this machine, with the access query. */
  readonly address: string;
  /** Secret parts of the address, which logs must mask. */
  readonly secrets: readonly string[];
}

type SourceChoice =
  | { readonly kind: 'found'; readonly source: StreamSource }
  | { readonly kind: 'none' }
  | { readonly kind: 'away' };

export interface StreamSources {
  /** `accepts` returns false for streams to exclude, e.g. the worker's own output. */
  choose(accepts: (stream: { app: string; stream: string }) => boolean): Promise<SourceChoice>;
  isLive(source: StreamSource): Promise<boolean>;
  /** True while the publisher sends video; false while unknown. */
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
        video: ({ readonly codec: string } & Partial<FrameSize>) | null;
        audio: object | null;
        /** Set by the built-in engine, which also serves MPEG-TS at a known address. Undefined on an SRS. */
        details: { hasMedia: boolean; fps: number } | undefined;
      }>
    >;
  };
  readonly boundPorts: () => Promise<{ rtmp: number | null; http: number | null } | undefined>;
  /** `flv`: whether HTTP playback is on. */
  readonly components: { isEnabled(name: 'flv'): boolean };
  readonly watching?: Pick<Watching, 'ownQuery'>;
  readonly nowMs?: () => number;
}

interface Look {
  readonly active: readonly { vhost: string; app: string; stream: string; url: string }[];
  /** Streams with media, by URL. Undefined while the media server does not respond. */
  readonly withMedia: ReadonlyMap<string, Media> | undefined;
}

interface Media {
  /** True if FFmpeg reads MPEG-TS, not RTMP. Only the built-in engine offers MPEG-TS. */
  readonly asTs: boolean;
  readonly videoCodec: string;
  readonly frame: FrameSize | undefined;
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
      const { asTs, videoCodec, frame } = withMedia.get(found.url)!;
      return { kind: 'found', source: { ...found, videoCodec, frame, ...(await addressOf(found, asTs)) } };
    },
    isLive: async ({ url }) => (await look()).active.some((each) => each.url === url),
    hasPicture: async ({ url }) => (await look()).withMedia?.get(url)?.hasPicture ?? false,
  };
}

/** Queries the media server only if there are active streams. */
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
  const videoCodec = video?.codec ?? '';
  const { width = 0, height = 0 } = video ?? {};
  const frame = width > 0 && height > 0 ? { width, height } : undefined;
  return { asTs: details !== undefined && videoCodec === readAsTs, videoCodec, frame, hasPicture };
}
