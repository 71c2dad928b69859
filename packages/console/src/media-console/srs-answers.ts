// Rows of SRS's HTTP API → what the pages of streams show. A real SRS tells less than the embedded engine, which adds `ext`;
// whatever is missing or of another shape counts as unknown. Pure.
import type { LiveClient, LiveStream, StreamHealth } from '@srs-stack/contract';
import { defaultVhost } from '@srs-stack/contract/constants.ts';
import type { SrsRow } from '../api/srs-api.ts';

const object = (value: unknown): SrsRow => (typeof value === 'object' && value !== null ? (value as SrsRow) : {});
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Streams that have a publisher. `clients` of the same moment tell who publishes and how people watch. */
export function toLiveStreams(streams: readonly SrsRow[], clients: readonly SrsRow[]): LiveStream[] {
  const byStream = Map.groupBy(clients, (client) => text(client.stream));
  return streams
    .filter((row) => object(row.publish).active === true)
    .map((row) => toLiveStream(row, byStream.get(text(row.id)) ?? []));
}

function toLiveStream(row: SrsRow, clients: readonly SrsRow[]): LiveStream {
  const ext = object(row.ext);
  const publisher = clients.find(({ publish }) => publish === true);
  const history = Array.isArray(ext.bitrateHistoryKbps) ? ext.bitrateHistoryKbps.map(number) : [];
  const details = figures(ext.publisherDetail);
  return {
    id: text(row.id),
    vhost: vhostOfUrl(text(row.url)),
    app: text(row.app),
    stream: text(row.name),
    publisherProtocol: text(ext.protocol) || protocolOf(text(publisher?.type)),
    publisherIp: text(ext.ip) || text(publisher?.ip),
    publisherClientId: text(object(row.publish).cid),
    hasMedia: typeof ext.hasMedia === 'boolean' ? ext.hasMedia : row.video !== null || row.audio !== null,
    uptimeMs: typeof ext.publishedForMs === 'number' ? ext.publishedForMs : number(publisher?.alive) * 1000,
    video: toVideo(row.video),
    audio: toAudio(row.audio),
    fps: number(ext.fps),
    keyframeIntervalMs: number(ext.keyframeIntervalMs),
    bitrateKbps: history.at(-1) ?? number(object(row.kbps).recv_30s),
    bitrateHistoryKbps: history,
    viewers: Math.max(0, number(row.clients) - 1),
    viewersByProtocol: countByProtocol(clients),
    receivedBytes: number(row.recv_bytes),
    sentBytes: number(row.send_bytes),
    ...(typeof ext.slowViewers === 'number' && { slowViewers: ext.slowViewers }),
    ...(details && { publisherDetail: details }),
    ...(typeof ext.health === 'object' && ext.health !== null && { health: ext.health as StreamHealth }),
  };
}

export function toLiveClient(row: SrsRow): LiveClient {
  const ext = object(row.ext);
  const kbps = object(row.kbps);
  const isPublisher = row.publish === true;
  const detail = figures(ext.detail);
  return {
    id: text(row.id),
    streamId: text(row.stream),
    protocol: protocolOf(text(row.type)),
    isPublisher,
    ip: text(row.ip),
    userAgent: text(ext.userAgent),
    pageUrl: text(row.pageUrl),
    uptimeMs: number(row.alive) * 1000,
    sentBytes: number(row.send_bytes),
    receivedBytes: number(row.recv_bytes),
    kbps: number(isPublisher ? kbps.recv_30s : kbps.send_30s),
    queuedBytes: number(ext.queuedBytes),
    droppedFrames: number(ext.droppedFrames),
    ...(detail && { detail }),
  };
}

function toVideo(value: unknown): LiveStream['video'] {
  const video = object(value);
  if (text(video.codec) === '') return null;
  const { codec, profile, level, width, height } = video;
  return {
    codec: text(codec),
    profile: text(profile),
    level: text(level),
    width: number(width),
    height: number(height),
  };
}

function toAudio(value: unknown): LiveStream['audio'] {
  const audio = object(value);
  if (text(audio.codec) === '') return null;
  return {
    codec: text(audio.codec),
    sampleRate: number(audio.sample_rate),
    channels: number(audio.channel),
    profile: text(audio.profile),
  };
}

function figures(value: unknown): Record<string, number | string> | undefined {
  const known = Object.entries(object(value)).filter(
    ([, each]) => typeof each === 'number' || typeof each === 'string',
  );
  return known.length > 0 ? Object.fromEntries(known as [string, number | string][]) : undefined;
}

function countByProtocol(clients: readonly SrsRow[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { publish, type } of clients) {
    if (publish === true) continue;
    const protocol = protocolOf(text(type));
    counts[protocol] = (counts[protocol] ?? 0) + 1;
  }
  return counts;
}

/** `rtmp-play` → `rtmp`; the encoders SRS tells apart among RTMP publishers → `rtmp`. */
function protocolOf(type: string): string {
  const name = type.replace(/-(play|publish)$/, '').toLowerCase();
  return /^(fmle|flash|haivision|play|publish)$/.test(name) ? 'rtmp' : name;
}

/** `/app/stream` is on the default virtual host, `vhost/app/stream` elsewhere. */
function vhostOfUrl(url: string): string {
  return url.startsWith('/') || url === '' ? defaultVhost : (url.split('/')[0] ?? defaultVhost);
}
