// Converts rows of SRS's HTTP API to the data of the stream pages. Only the built-in media server sends the additional fields `ext`. Pure.
import type { LiveClient, LiveStream } from '@srs-stack/contract';
import {
  protocolOfSrsType,
  type SrsClientRow,
  type SrsStreamRow,
  vhostOfSrsUrl,
} from '@srs-stack/contract/wire/srs-rows.ts';

/** Converts the streams that have a publisher. `clients` determine the publishers and the viewers' protocols. */
export function toLiveStreams(streams: readonly SrsStreamRow[], clients: readonly SrsClientRow[]): LiveStream[] {
  const byStream = Map.groupBy(clients, (client) => client.stream);
  return streams.filter((row) => row.publish.active).map((row) => toLiveStream(row, byStream.get(row.id) ?? []));
}

function toLiveStream(row: SrsStreamRow, clients: readonly SrsClientRow[]): LiveStream {
  const { ext } = row;
  const publisher = clients.find(({ publish }) => publish);
  const history = ext?.bitrateHistoryKbps ?? [];
  const video = row.video?.codec ? row.video : null;
  const audio = row.audio?.codec ? row.audio : null;
  return {
    id: row.id,
    vhost: vhostOfSrsUrl(row.url),
    app: row.app,
    stream: row.name,
    publisherProtocol: ext?.protocol || protocolOfSrsType(publisher?.type ?? ''),
    publisherIp: ext?.ip || (publisher?.ip ?? ''),
    publisherClientId: row.publish.cid ?? '',
    hasMedia: ext?.hasMedia ?? (video !== null || audio !== null),
    uptimeMs: ext?.publishedForMs ?? (publisher?.alive ?? 0) * 1000,
    video,
    audio: audio && {
      codec: audio.codec,
      sampleRate: audio.sample_rate,
      channels: audio.channel,
      profile: audio.profile,
    },
    fps: ext?.fps ?? 0,
    keyframeIntervalMs: ext?.keyframeIntervalMs ?? 0,
    bitrateKbps: history.at(-1) ?? row.kbps.recv_30s,
    bitrateHistoryKbps: [...history],
    viewers: Math.max(0, row.clients - 1),
    viewersByProtocol: countByProtocol(clients),
    receivedBytes: row.recv_bytes,
    sentBytes: row.send_bytes,
    ...(ext?.slowViewers !== undefined && { slowViewers: ext.slowViewers }),
    ...(ext?.slateForMs !== undefined && { slateForMs: ext.slateForMs }),
    ...(ext?.backupForMs !== undefined && { backupForMs: ext.backupForMs }),
    ...(ext?.spares && { spares: ext.spares.map((spare) => ({ ...spare })) }),
    ...(ext?.publisherDetail && { publisherDetail: ext.publisherDetail }),
    ...(ext?.health && { health: ext.health }),
  };
}

export function toLiveClient(row: SrsClientRow): LiveClient {
  const { droppedFrames, queuedBytes, userAgent, detail, priority } = row.ext;
  return {
    id: row.id,
    streamId: row.stream,
    protocol: protocolOfSrsType(row.type),
    isPublisher: row.publish,
    ...(priority !== undefined && { priority }),
    ip: row.ip,
    userAgent,
    pageUrl: row.pageUrl,
    uptimeMs: row.alive * 1000,
    sentBytes: row.send_bytes,
    receivedBytes: row.recv_bytes,
    kbps: row.publish ? row.kbps.recv_30s : row.kbps.send_30s,
    queuedBytes,
    droppedFrames,
    ...(detail && { detail }),
  };
}

function countByProtocol(clients: readonly SrsClientRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { publish, type } of clients) {
    if (publish) continue;
    const protocol = protocolOfSrsType(type);
    counts[protocol] = (counts[protocol] ?? 0) + 1;
  }
  return counts;
}
