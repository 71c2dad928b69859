// Hides the renditions of a media server: each rendition is merged into its stream, together with its viewers.
import { parseRenditionName } from '@srs-stack/contract';
import type { MediaServer, MediaServerStream } from './media-server.ts';
import { streamKey } from './merged-streams.ts';

export function withGroupedRenditions(mediaServer: MediaServer): MediaServer {
  return {
    listStreams: async () => groupRenditions(await mediaServer.listStreams()),
    listClients: () => mediaServer.listClients(),
    readKeyframe: (streamId) => mediaServer.readKeyframe(streamId),
    listRefusals: () => mediaServer.listRefusals(),
    summarize: () => mediaServer.summarize(),
    listViewers: () => mediaServer.listViewers(),
    disconnect: (clientId) => mediaServer.disconnect(clientId),
    identify: () => mediaServer.identify(),
    reload: () => mediaServer.reload(),
  };
}

/** Merges renditions into their stream. Omits renditions whose stream is missing. Pure. */
export function groupRenditions(streams: readonly MediaServerStream[]): MediaServerStream[] {
  const renditions = new Map<string, MediaServerStream[]>();
  const own: MediaServerStream[] = [];
  for (const stream of streams) {
    const name = parseRenditionName(stream.stream);
    if (!name) own.push(stream);
    else {
      const key = streamKey({ ...stream, stream: name.stream });
      renditions.set(key, [...(renditions.get(key) ?? []), stream]);
    }
  }
  if (renditions.size === 0) return own;
  return own.map((stream) => (renditions.get(streamKey(stream)) ?? []).reduce(withViewersOf, stream));
}

function withViewersOf(stream: MediaServerStream, rendition: MediaServerStream): MediaServerStream {
  const viewers = Math.max(0, rendition.clients - (rendition.isPublished ? 1 : 0));
  const [counts, more] = [stream.details?.viewersByProtocol, rendition.details?.viewersByProtocol];
  const all = counts && more && sumOf(counts, more);
  return {
    ...stream,
    clients: stream.clients + viewers,
    sentBytes: stream.sentBytes + rendition.sentBytes,
    details: stream.details && { ...stream.details, ...(all && { viewersByProtocol: all }) },
  };
}

function sumOf(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): Record<string, number> {
  const sums = { ...one };
  for (const [protocol, count] of Object.entries(other)) sums[protocol] = (sums[protocol] ?? 0) + count;
  return sums;
}
