// Lists and disconnects the clients of a stream. All consoles share one result per second.
import { changed, type LiveClient, maxClientRows } from '@srs-stack/contract';
import { protocolOfSrsType } from '@srs-stack/contract/wire/srs-rows.ts';
import type { Actor } from '../actor.ts';
import { createCache } from '../concurrency/cache.ts';
import type { MediaServer, MediaServerClient } from '../media-server/media-server.ts';
import type { AuditTrail } from '../store/audit-trail.ts';

export const liveClientsCacheMs = 1_000;

export interface LiveClients {
  ofStream(streamId: string): Promise<{ clients: LiveClient[]; total: number }>;
  /** Also succeeds if the client has already disconnected. Throws AppError `mediaServerUnreachable`. */
  kick(id: string, actor: Actor): Promise<void>;
}

export function createLiveClients(deps: {
  mediaServer: Pick<MediaServer, 'listClients' | 'disconnect'>;
  audit: Pick<AuditTrail, 'record'>;
  now: () => Date;
}): LiveClients {
  const { mediaServer, audit, now } = deps;
  const list = createCache(
    liveClientsCacheMs,
    () => now().getTime(),
    () => mediaServer.listClients(),
  );
  const kicked = new Set<string>();
  return {
    async ofStream(streamId) {
      const all = await list();
      const own = all.filter((client) => client.streamId === streamId && !kicked.has(client.id));
      // Forgets ids that are no longer listed: ids are never reused.
      for (const id of kicked) if (!all.some((client) => client.id === id)) kicked.delete(id);
      return { clients: own.slice(0, maxClientRows).map(toLiveClient), total: own.length };
    },
    async kick(id, actor) {
      await mediaServer.disconnect(id);
      kicked.add(id);
      await audit.record('stream-kicked', actor, changed('kick.connection', { id }));
    },
  };
}

function toLiveClient(client: MediaServerClient): LiveClient {
  const { id, streamId, isPublisher, priority, ip, userAgent, pageUrl, sentBytes, receivedBytes, detail } = client;
  return {
    id,
    streamId,
    protocol: protocolOfSrsType(client.type),
    isPublisher,
    ...(priority !== undefined && { priority }),
    ip,
    userAgent,
    pageUrl,
    uptimeMs: client.aliveMs,
    sentBytes,
    receivedBytes,
    kbps: isPublisher ? client.receivedKbps : client.sentKbps,
    queuedBytes: client.queuedBytes,
    droppedFrames: client.droppedFrames,
    ...(detail && { detail: { ...detail } }),
  };
}
