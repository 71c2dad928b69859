// Streams, viewers and bandwidth from the media server. The client list is requested rarely, because it is long and only needed to split
// viewers by protocol.
import { AppError } from '@srs-stack/contract';
import type {
  MediaServer,
  MediaServerClient,
  MediaServerStream,
  MediaServerSummary,
  NamedSummary,
} from '../media-server/media-server.ts';

export interface LiveMetrics {
  /** Summary of all media servers; undefined while no server responds. */
  readonly summary: MediaServerSummary | undefined;
  readonly servers: readonly NamedSummary[];
  readonly streams: readonly MediaServerStream[];
  readonly viewers: number;
  readonly viewersByProtocol: Readonly<Record<string, number>>;
  /** Since the previous poll; undefined at the first poll and after a restart of the media server. */
  readonly receivedBps: number | undefined;
  readonly sentBps: number | undefined;
}

export interface LiveMetricsDeps {
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'listClients' | 'summarize'>;
  readonly monotonicMs: () => number;
}

const bitsPerByte = 8;

/**
 * Returns a function that reads the metrics. The function rejects only for bugs. `clientsMaxAgeMs`: maximum age of the split by protocol.
 */
export function createLiveMetrics({ mediaServer, monotonicMs }: LiveMetricsDeps) {
  let before: Look | undefined;
  let names: readonly string[] = [];
  let clients: { atMs: number; list: readonly MediaServerClient[] } = { atMs: Number.NEGATIVE_INFINITY, list: [] };

  const clientsOf = async (viewers: number, maxAgeMs: number) => {
    if (viewers === 0) return [];
    if (monotonicMs() - clients.atMs >= maxAgeMs) {
      clients = { atMs: monotonicMs(), list: await mediaServer.listClients() };
    }
    return clients.list;
  };

  return async (clientsMaxAgeMs: number): Promise<LiveMetrics> => {
    try {
      const [{ all: summary, servers }, all] = await Promise.all([mediaServer.summarize(), mediaServer.listStreams()]);
      const now = { atMs: monotonicMs(), servers };
      const streams = all.filter((stream) => stream.isPublished);
      const viewers = streams.reduce((sum, stream) => sum + Math.max(0, stream.clients - 1), 0);
      const merged = mergedCounts(streams);
      const viewersByProtocol = merged ?? countByProtocol(await clientsOf(viewers, clientsMaxAgeMs));
      const rates = ratesBetween(before, now);
      before = now;
      names = servers.map(({ name }) => name);
      return { summary, servers, streams, viewers, viewersByProtocol, ...rates };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      before = undefined;
      const nothing = { viewers: 0, viewersByProtocol: {}, receivedBps: undefined, sentBps: undefined };
      const servers = names.map((name) => ({ name, summary: undefined }));
      return { summary: undefined, servers, streams: [], ...nothing };
    }
  };
}

interface Look {
  readonly atMs: number;
  readonly servers: readonly NamedSummary[];
}

/** Rates since the previous poll. Undefined when a counter belongs to another process or has decreased. */
function ratesBetween(before: Look | undefined, now: Look): Pick<LiveMetrics, 'receivedBps' | 'sentBps'> {
  const seconds = before ? (now.atMs - before.atMs) / 1_000 : 0;
  const sumOf = (take: (summary: MediaServerSummary) => number): number | undefined => {
    const rates = now.servers.flatMap(({ name, summary }) => {
      const then = before?.servers.find((each) => each.name === name)?.summary;
      if (!summary || !then || then.pid !== summary.pid || seconds <= 0 || take(summary) < take(then)) return [];
      return [((take(summary) - take(then)) * bitsPerByte) / seconds];
    });
    return rates.length > 0 ? rates.reduce((sum, rate) => sum + rate, 0) : undefined;
  };
  return {
    receivedBps: sumOf(({ receivedBytes }) => receivedBytes),
    sentBps: sumOf(({ sentBytes }) => sentBytes),
  };
}

/** Viewers by protocol, if every stream reports the split; else undefined, and the client list is needed. */
function mergedCounts(streams: readonly MediaServerStream[]): Record<string, number> | undefined {
  const counts: Record<string, number> = {};
  for (const { details } of streams) {
    if (!details?.viewersByProtocol) return undefined;
    for (const [protocol, count] of Object.entries(details.viewersByProtocol)) {
      if (count > 0) counts[protocol] = (counts[protocol] ?? 0) + count;
    }
  }
  return counts;
}

function countByProtocol(clients: readonly MediaServerClient[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { isPublisher, type } of clients) {
    if (isPublisher) continue;
    const protocol = type.replace(/-play$/, '') || 'other';
    counts[protocol] = (counts[protocol] ?? 0) + 1;
  }
  return counts;
}
