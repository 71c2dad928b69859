// Converts engine snapshots to the objects of SRS's HTTP API (docs/reference/protocols/media-server-api.md). `ext` contains fields that SRS
// does not have. Pure.
import { createHash } from 'node:crypto';
import type {
  SrsAudioRow,
  SrsChannelRow,
  SrsClientRow,
  SrsPullRow,
  SrsPushRow,
  SrsRefusalRow,
  SrsStreamRow,
  SrsVhostRow,
  SrsVideoRow,
} from '@srs-stack/contract/wire/srs-rows.ts';
import type {
  AudioTrack,
  BitrateSnapshot,
  ChannelSnapshot,
  ClientSnapshot,
  HlsConfig,
  PullSnapshot,
  PushSnapshot,
  Refusal,
  SessionInfo,
  StreamSnapshot,
  VideoTrack,
} from '@srs-stack/engine';
import { toCallbackStreamUrl } from '../callbacks/callback-body.ts';

/** SRS gives each vhost an id such as `vid-xxxxxxx`. This function derives the id from the name, so that the id never changes. */
function toVhostId(vhost: string): string {
  const hash = createHash('sha256').update(vhost).digest('hex');
  return `vid-${BigInt(`0x${hash.slice(0, 16)}`)
    .toString(36)
    .padStart(7, '0')
    .slice(0, 7)}`;
}

export function toStreamObject(stream: StreamSnapshot, nowMs: number): SrsStreamRow {
  const { publisher } = stream;
  return {
    id: stream.id,
    name: stream.stream,
    vhost: toVhostId(stream.vhost),
    app: stream.app,
    tcUrl: stream.tcUrl,
    url: toCallbackStreamUrl(stream),
    live_ms: nowMs,
    clients: stream.clients,
    frames: stream.frames,
    send_bytes: stream.sentBytes,
    recv_bytes: stream.receivedBytes,
    kbps: toKbps(stream.kbps),
    publish: publisher ? { active: true, cid: publisher.clientId } : { active: false },
    video: stream.video ? toVideo(stream.video) : null,
    audio: stream.audio ? toAudio(stream.audio) : null,
    ext: {
      protocol: publisher ? protocolOf(publisher.type) : '',
      ip: publisher?.ip ?? '',
      hasMedia: stream.hasMedia,
      fps: stream.fps,
      keyframeIntervalMs: stream.keyframeIntervalMs,
      bitrateHistoryKbps: stream.bitrateHistoryKbps,
      timestampRepairs: stream.timestampRepairs,
      publishedForMs: stream.publishedForMs,
      viewersByProtocol: stream.viewersByProtocol,
      slowViewers: stream.slowViewers,
      health: stream.health,
      ...(stream.slateFile && { slateFile: stream.slateFile }),
      ...(stream.slateForMs !== undefined && { slateForMs: Math.round(stream.slateForMs) }),
      ...(stream.backupForMs !== undefined && { backupForMs: Math.round(stream.backupForMs) }),
      ...(stream.spares && { spares: stream.spares.map((spare) => ({ ...spare })) }),
      ...(stream.silentForMs !== undefined && { silentForMs: Math.round(stream.silentForMs) }),
      ...(stream.publisherDetail && { publisherDetail: stream.publisherDetail }),
      ...(stream.hls && { hls: stream.hls }),
    },
  };
}

export function toClientObject(client: ClientSnapshot): SrsClientRow {
  const { session, priority } = client;
  return {
    id: session.clientId,
    vhost: toVhostId(session.vhost),
    stream: client.streamId,
    ip: session.ip,
    pageUrl: session.pageUrl,
    swfUrl: '',
    tcUrl: session.tcUrl,
    url: toCallbackStreamUrl(session),
    name: session.stream,
    type: session.type,
    publish: client.publish,
    alive: client.aliveMs / 1000,
    send_bytes: client.sentBytes,
    recv_bytes: client.receivedBytes,
    kbps: toKbps(client.kbps),
    ext: {
      droppedFrames: client.droppedFrames,
      queuedBytes: client.queuedBytes,
      userAgent: session.userAgent ?? '',
      detail: client.detail ?? {},
      ...(priority !== undefined && { priority }),
    },
  };
}

/** One object per vhost in use. The default vhost is always included. */
export function toVhostObjects(
  streams: readonly StreamSnapshot[],
  hls: HlsConfig,
  defaultVhost: string,
): SrsVhostRow[] {
  const names = new Set([defaultVhost, ...streams.map((stream) => stream.vhost)]);
  return [...names].map((name) => {
    const own = streams.filter((stream) => stream.vhost === name);
    const sum = (pick: (stream: StreamSnapshot) => number): number =>
      own.reduce((total, each) => total + pick(each), 0);
    return {
      id: toVhostId(name),
      name,
      enabled: true,
      clients: sum((stream) => stream.clients),
      streams: own.length,
      send_bytes: sum((stream) => stream.sentBytes),
      recv_bytes: sum((stream) => stream.receivedBytes),
      kbps: {
        recv_30s: sum((stream) => stream.kbps.received30s),
        send_30s: sum((stream) => stream.kbps.sent30s),
      },
      hls: hls.enabled ? { enabled: true, fragment: hls.fragmentSeconds } : { enabled: false },
    };
  });
}

export function toRefusalObject(refusal: Refusal): SrsRefusalRow {
  const { atMs, ...rest } = refusal;
  return { at: new Date(atMs).toISOString(), ...rest };
}

export function toPushObject({
  streamUrl,
  attemptMs,
  publishingMs,
  lastFailure,
  startsInMs,
  ...rest
}: PushSnapshot): SrsPushRow {
  return {
    ...rest,
    stream: streamUrl,
    ...(attemptMs !== undefined && { attemptMs }),
    ...(publishingMs !== undefined && { publishingMs }),
    ...(lastFailure && { lastFailure }),
    ...(startsInMs !== undefined && { startsInMs }),
  };
}

export function toChannelObject({ streamUrl, ...rest }: ChannelSnapshot): SrsChannelRow {
  return { ...rest, stream: streamUrl, events: rest.events.map((event) => ({ ...event })) };
}

export function toPullObject({ streamUrl, attemptMs, pullingMs, ...rest }: PullSnapshot): SrsPullRow {
  return {
    ...rest,
    stream: streamUrl,
    ...(attemptMs !== undefined && { attemptMs }),
    ...(pullingMs !== undefined && { pullingMs }),
  };
}

const videoNames: Record<VideoTrack['codec'], string> = {
  h264: 'H264',
  h265: 'HEVC',
  av1: 'AV1',
  vp9: 'VP9',
  vp8: 'VP8',
};
const audioNames: Record<AudioTrack['codec'], string> = {
  aac: 'AAC',
  opus: 'Opus',
  mp3: 'MP3',
  mp2: 'MP2',
  ac3: 'AC3',
  eac3: 'EAC3',
  flac: 'FLAC',
  pcma: 'G711A',
  pcmu: 'G711U',
};

function toVideo({ codec, profile, level, width, height }: VideoTrack): SrsVideoRow {
  return { codec: videoNames[codec], profile, level, width, height };
}

function toAudio({ codec, sampleRate, channels, profile }: AudioTrack): SrsAudioRow {
  return { codec: audioNames[codec], sample_rate: sampleRate, channel: channels, profile };
}

function toKbps({ received30s, sent30s }: BitrateSnapshot): SrsStreamRow['kbps'] {
  return { recv_30s: Math.round(received30s), send_30s: Math.round(sent30s) };
}

function protocolOf(type: SessionInfo['type']): string {
  if (type.startsWith('srt')) return 'srt';
  if (type.startsWith('rtsp')) return 'rtsp';
  if (type === 'udp-publish' || type === 'hls-publish') return type.slice(0, 3);
  return type.startsWith('rtc') ? 'rtc' : 'rtmp';
}
