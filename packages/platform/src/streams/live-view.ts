// Live streams for the console: codecs, bitrate, viewers and refusals. All consoles share one result per second.
import { AppError, type LiveStream, maxRefusals, type Refusal, type StreamViewers } from '@srs-stack/contract';
import { protocolOfSrsType } from '@srs-stack/contract/wire/srs-rows.ts';
import { createCache } from '../concurrency/cache.ts';
import type { MediaServer, MediaServerClient, MediaServerStream } from '../media-server/media-server.ts';
import type { RefusedPublishers } from './refused-publishers.ts';

/** Cache time of the stream list, milliseconds. */
export const liveCacheMs = 1_000;
/** Cache time of the client list, milliseconds. With many viewers the list is long. For its use, see `needsClients`. */
export const clientsCacheMs = 5_000;

interface LiveState {
  readonly mediaServer: boolean;
  readonly streams: LiveStream[];
  readonly refusals: Refusal[];
}

export interface LiveView {
  query(filter: { app?: string | undefined; stream?: string | undefined }): Promise<LiveState>;
}

export interface LiveViewDeps {
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'listClients' | 'listRefusals'>;
  /** Refusals of this control plane, for media servers that keep no list. */
  readonly refusedPublishers: Pick<RefusedPublishers, 'list'>;
  readonly viewing: (name: { app: string; stream: string }, nowMs: number) => StreamViewers | undefined;
  readonly now: () => Date;
}

export function createLiveView({ mediaServer, refusedPublishers, viewing, now }: LiveViewDeps): LiveView {
  const nowMs = () => now().getTime();
  const clients = createCache(clientsCacheMs, nowMs, () => mediaServer.listClients());
  const current = createCache(liveCacheMs, nowMs, () =>
    load(mediaServer, clients, refusedPublishers, (name) => viewing(name, nowMs())),
  );
  return {
    async query({ app, stream }) {
      const state = await current();
      const matches = (row: { app: string; stream: string }) =>
        (app === undefined || row.app === app) && (stream === undefined || row.stream === stream);
      return {
        mediaServer: state.mediaServer,
        streams: state.streams.filter(matches),
        refusals: state.refusals.filter(matches).slice(0, maxRefusals),
      };
    },
  };
}

async function load(
  mediaServer: LiveViewDeps['mediaServer'],
  listClients: () => Promise<MediaServerClient[]>,
  refusedPublishers: LiveViewDeps['refusedPublishers'],
  viewing: (name: MediaServerStream) => StreamViewers | undefined,
): Promise<LiveState> {
  try {
    const [streams, kept] = await Promise.all([mediaServer.listStreams(), mediaServer.listRefusals()]);
    const refusals = kept ?? refusedPublishers.list();
    const published = streams.filter((stream) => stream.isPublished);
    const clients = published.some(needsClients) ? await listClients() : [];
    return {
      mediaServer: true,
      streams: published.map((stream) => ({ ...toLiveStream(stream, clients), ...viewingOf(viewing(stream)) })),
      refusals,
    };
  } catch (error) {
    if (error instanceof AppError) return { mediaServer: false, streams: [], refusals: [] };
    throw error;
  }
}

/** Whether the client list is needed: to identify the publisher on an SRS, or to count viewers by protocol. */
function needsClients(stream: MediaServerStream): boolean {
  return !stream.details || (!stream.details.viewersByProtocol && stream.clients > 1);
}

function toLiveStream(stream: MediaServerStream, clients: readonly MediaServerClient[]): LiveStream {
  const own = clients.filter((client) => client.streamId === stream.id);
  const publisher = own.find((client) => client.isPublisher);
  const { details } = stream;
  const history = details?.bitrateHistoryKbps ?? [];
  return {
    id: stream.id,
    vhost: stream.vhost,
    app: stream.app,
    stream: stream.stream,
    publisherProtocol: details?.protocol || protocolOfSrsType(publisher?.type ?? ''),
    publisherIp: details?.ip || (publisher?.ip ?? ''),
    publisherClientId: stream.publisherClientId,
    hasMedia: details?.hasMedia ?? (stream.video !== null || stream.audio !== null),
    uptimeMs: details?.publishedForMs ?? publisher?.aliveMs ?? 0,
    video: stream.video,
    audio: stream.audio,
    fps: details?.fps ?? 0,
    keyframeIntervalMs: details?.keyframeIntervalMs ?? 0,
    bitrateKbps: history.at(-1) ?? stream.receivedKbps,
    bitrateHistoryKbps: [...history],
    viewers: Math.max(0, stream.clients - 1),
    viewersByProtocol: { ...(details?.viewersByProtocol ?? countByProtocol(own)) },
    receivedBytes: stream.receivedBytes,
    sentBytes: stream.sentBytes,
    ...(details?.slowViewers !== undefined && { slowViewers: details.slowViewers }),
    ...(details?.slateForMs !== undefined && { slateForMs: details.slateForMs }),
    ...(details?.backupForMs !== undefined && { backupForMs: details.backupForMs }),
    ...(details?.spares && { spares: details.spares.map((spare) => ({ ...spare })) }),
    ...(details?.health && { health: details.health }),
    ...(details?.publisherDetail && { publisherDetail: { ...details.publisherDetail } }),
  };
}

function viewingOf(viewing: StreamViewers | undefined): Pick<LiveStream, 'viewing'> {
  return viewing ? { viewing } : {};
}

function countByProtocol(clients: readonly MediaServerClient[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const client of clients) {
    if (client.isPublisher) continue;
    const protocol = protocolOfSrsType(client.type);
    counts[protocol] = (counts[protocol] ?? 0) + 1;
  }
  return counts;
}
