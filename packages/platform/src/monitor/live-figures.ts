// Streams, viewers and bandwidth as the media server tells them. The list of clients, which is long with many viewers,
// only splits viewers by protocol and is asked for seldom.
import { AppError } from '@srs-stack/contract';
import type {
  MediaServer,
  MediaServerClient,
  MediaServerStream,
  MediaServerSummary,
} from '../media-server/media-server.ts';

export interface LiveFigures {
  /** Undefined while the media server does not answer. */
  readonly summary: MediaServerSummary | undefined;
  readonly streams: readonly MediaServerStream[];
  readonly viewers: number;
  readonly viewersByProtocol: Readonly<Record<string, number>>;
  /** Bits per second since the look before; undefined at the first one and after a restart of the media server. */
  readonly receivedBps: number | undefined;
  readonly sentBps: number | undefined;
}

export interface LiveFiguresDeps {
  readonly mediaServer: Pick<MediaServer, 'listStreams' | 'listClients' | 'summarize'>;
  readonly monotonicMs: () => number;
}

const bitsPerByte = 8;

/** The returned function rejects only for bugs. `clientsMaxAgeMs`: how old the split by protocol may be. */
export function createLiveFigures({ mediaServer, monotonicMs }: LiveFiguresDeps) {
  let before: { atMs: number; summary: MediaServerSummary } | undefined;
  let clients: { atMs: number; list: readonly MediaServerClient[] } = { atMs: Number.NEGATIVE_INFINITY, list: [] };

  const clientsOf = async (viewers: number, maxAgeMs: number) => {
    if (viewers === 0) return [];
    if (monotonicMs() - clients.atMs >= maxAgeMs) {
      clients = { atMs: monotonicMs(), list: await mediaServer.listClients() };
    }
    return clients.list;
  };

  return async (clientsMaxAgeMs: number): Promise<LiveFigures> => {
    try {
      const [summary, all] = await Promise.all([mediaServer.summarize(), mediaServer.listStreams()]);
      const atMs = monotonicMs();
      const streams = all.filter((stream) => stream.isPublished);
      const viewers = streams.reduce((sum, stream) => sum + Math.max(0, stream.clients - 1), 0);
      const told = mergedCounts(streams);
      const viewersByProtocol = told ?? countByProtocol(await clientsOf(viewers, clientsMaxAgeMs));
      const rates = ratesBetween(before, { atMs, summary });
      before = { atMs, summary };
      return { summary, streams, viewers, viewersByProtocol, ...rates };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      before = undefined;
      const nothing = { viewers: 0, viewersByProtocol: {}, receivedBps: undefined, sentBps: undefined };
      return { summary: undefined, streams: [], ...nothing };
    }
  };
}

/** Counters of another process, or counters that went back, make no rate. */
function ratesBetween(
  before: { atMs: number; summary: MediaServerSummary } | undefined,
  { atMs, summary }: { atMs: number; summary: MediaServerSummary },
): Pick<LiveFigures, 'receivedBps' | 'sentBps'> {
  const seconds = before ? (atMs - before.atMs) / 1_000 : 0;
  if (!before || before.summary.pid !== summary.pid || seconds <= 0) {
    return { receivedBps: undefined, sentBps: undefined };
  }
  const rate = (now: number, then: number) => (now < then ? undefined : ((now - then) * bitsPerByte) / seconds);
  return {
    receivedBps: rate(summary.receivedBytes, before.summary.receivedBytes),
    sentBps: rate(summary.sentBytes, before.summary.sentBytes),
  };
}

/** When every stream tells its viewers by protocol, no list of clients is needed. */
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
