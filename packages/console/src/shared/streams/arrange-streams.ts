import type { LiveClient, LiveStream } from '@srs-stack/contract';
import { streamPath } from '@srs-stack/contract/addresses.ts';
import type { Severity } from '../stream-health/health-finding.ts';
import { severities } from '../stream-health/health-finding.ts';
import { healthFindings } from '../stream-health/stream-health.ts';
import { audioParts, protocolName, videoParts } from './stream-parts.ts';

export const streamOrders = ['health', 'name', 'viewers', 'bitrate', 'uptime'] as const;
export type StreamOrder = (typeof streamOrders)[number];

export interface ArrangedStream {
  readonly stream: LiveStream;
  readonly path: string;
  readonly findings: ReturnType<typeof healthFindings>;
}

const byName = (a: ArrangedStream, b: ArrangedStream) => a.path.localeCompare(b.path);
const gravity = ({ findings }: ArrangedStream) =>
  findings[0] ? severities.indexOf(findings[0].severity as Severity) : severities.length;

const comparisons: Record<StreamOrder, (a: ArrangedStream, b: ArrangedStream) => number> = {
  health: (a, b) => gravity(a) - gravity(b),
  name: byName,
  viewers: (a, b) => b.stream.viewers - a.stream.viewers,
  bitrate: (a, b) => b.stream.bitrateKbps - a.stream.bitrateKbps,
  uptime: (a, b) => b.stream.uptimeMs - a.stream.uptimeMs,
};

/** Filters and sorts streams. Every word of `search` must occur in the displayed data. Ties are sorted by name. */
export function arrangeStreams(streams: readonly LiveStream[], order: StreamOrder, search: string): ArrangedStream[] {
  return streams
    .filter((stream) => matches(search, wordsOfStream(stream)))
    .map((stream) => ({ stream, path: streamPath(stream), findings: healthFindings(stream) }))
    .sort((a, b) => comparisons[order](a, b) || byName(a, b));
}

/** Filters and sorts clients: the publisher first, then the longest sessions. */
export function arrangeClients<T extends LiveClient & { streamPath?: string }>(
  clients: readonly T[],
  search: string,
): T[] {
  return clients
    .filter((client) => matches(search, wordsOfClient(client)))
    .sort((a, b) => Number(b.isPublisher) - Number(a.isPublisher) || b.uptimeMs - a.uptimeMs);
}

function wordsOfStream(stream: LiveStream): string {
  const parts = [streamPath(stream), stream.publisherIp, protocolName(stream.publisherProtocol)];
  return [...parts, ...videoParts(stream), ...audioParts(stream)].join(' ');
}

function wordsOfClient({ streamPath = '', ...client }: LiveClient & { streamPath?: string }): string {
  const { id, ip, protocol, userAgent, pageUrl } = client;
  return [id, ip, protocolName(protocol), userAgent, pageUrl, streamPath].join(' ');
}

function matches(search: string, text: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
