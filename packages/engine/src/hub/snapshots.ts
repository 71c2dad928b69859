import type { ClientSnapshot, StreamSnapshot } from '../engine-snapshot.ts';
import type { Viewers } from './player-table.ts';
import type { Publication } from './publication.ts';
import { BackupShow } from './slate/backup-show.ts';
import type { Spare } from './spares.ts';
import type { Stream } from './stream.ts';

/** Shorter silence is normal between packets and is not reported, milliseconds. */
const noticeableSilenceMs = 500;

interface StreamAndCounts {
  readonly stream: Stream;
  readonly publication: Publication | undefined;
  readonly spares: readonly Spare[];
  readonly viewers: Viewers | undefined;
  readonly slateFile: string | undefined;
  readonly now: number;
}

export function toStreamSnapshot(source: StreamAndCounts): StreamSnapshot {
  const { stream, publication, spares, viewers, slateFile, now } = source;
  const onAir = spares.find((spare) => stream.standIn instanceof BackupShow && stream.standIn.backup === spare.stream);
  const { sent } = stream;
  // A spare encoder's stream is not listed. While a spare encoder is on air, its statistics are shown as those of the main stream.
  const { stats } = onAir?.stream ?? stream;
  const own = publication?.isCopy ? undefined : publication;
  const silentForMs = own ? now - (onAir?.publication ?? own).lastPacketAtMs : 0;
  const publisherDetail = {
    ...(onAir?.publication ?? publication)?.owner.stats?.().detail,
    ...(stream.unsupportedAudio && { unsupportedAudio: stream.unsupportedAudio }),
  };
  return {
    ...stream.key,
    id: stream.id,
    tcUrl: own?.session.tcUrl ?? '',
    publisher: own?.session,
    publishedForMs: own ? now - own.startedAtMs : 0,
    hasMedia: publication !== undefined && stats.hasMedia,
    video: stream.video,
    audio: stream.audio,
    clients: (viewers?.count ?? 0) + (own ? 1 : 0),
    viewersByProtocol: viewers?.byProtocol ?? {},
    slowViewers: viewers?.slow ?? 0,
    frames: stats.frames,
    receivedBytes: publication?.isCopy ? 0 : stats.received.bytes,
    sentBytes: sent.bytes,
    kbps: { received30s: own ? stats.received.kbps(now) : 0, sent30s: sent.kbps(now) },
    fps: publication ? stats.fps : 0,
    keyframeIntervalMs: stats.keyframeIntervalMs,
    bitrateHistoryKbps: stats.bitrateHistoryKbps,
    timestampRepairs: (onAir?.stream ?? stream).timestampRepairs,
    health: stats.health.snapshot(now, declaredFps(stream)),
    ...(silentForMs >= noticeableSilenceMs && { silentForMs }),
    ...(slateFile && { slateFile }),
    ...(stream.slate && { slateForMs: now - stream.slate.sinceMs }),
    ...(stream.standIn instanceof BackupShow && { backupForMs: now - stream.standIn.sinceMs }),
    ...(spares.length > 0 && {
      spares: spares.map((spare) => ({ priority: spare.priority, isOnAir: spare === onAir })),
    }),
    ...(Object.keys(publisherDetail).length > 0 && { publisherDetail }),
    audioConversions: stream.renditions.snapshot(),
  };
}

export function clientOfPublication({ session, stream, owner, startedAtMs }: Publication, now: number): ClientSnapshot {
  const { received } = stream.stats;
  return {
    session,
    streamId: stream.id,
    publish: true,
    aliveMs: now - startedAtMs,
    receivedBytes: received.bytes,
    sentBytes: 0,
    kbps: { received30s: received.kbps(now), sent30s: 0 },
    droppedFrames: 0,
    queuedBytes: 0,
    ...owner.stats?.(),
  };
}

/** Lists a spare encoder as a client of its main stream. */
export function clientOfSpare(
  { publication, priority }: Spare,
  stream: Stream | undefined,
  now: number,
): ClientSnapshot {
  const client = clientOfPublication(publication, now);
  return { ...client, streamId: stream?.id ?? client.streamId, priority };
}

function declaredFps({ metadata }: Stream): number {
  const fps = Number(metadata?.framerate);
  return Number.isFinite(fps) && fps > 0 ? Math.round(fps * 100) / 100 : 0;
}
