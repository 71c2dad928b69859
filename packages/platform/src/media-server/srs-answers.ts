// Answers of SRS's HTTP API (SRS 5 to 7) and the embedded engine's `ext` objects, read leniently: a missing figure is 0.
import { defaultVhost, type Refusal, refusalReasons, streamHealth } from '@srs-stack/contract';
import { z } from 'zod';
import type { MediaServerClient, MediaServerStream, MediaServerSummary } from './media-server.ts';

const count = z.number().catch(0);
const text = z.coerce.string().catch('');

const videoAnswer = z.object({ codec: text, profile: text, level: text, width: count, height: count });
const audioAnswer = z.object({ codec: text, sample_rate: count, channel: count, profile: text });

const figures = z
  .record(z.string(), z.union([z.number(), z.string()]))
  .optional()
  .catch(undefined);

const streamDetails = z.object({
  protocol: text,
  ip: text,
  hasMedia: z.boolean(),
  fps: count,
  keyframeIntervalMs: count,
  bitrateHistoryKbps: z.array(z.number()).catch([]),
  publishedForMs: count,
  viewersByProtocol: z.record(z.string(), z.number()).optional(),
  slowViewers: z.number().optional().catch(undefined),
  health: streamHealth.optional().catch(undefined),
  publisherDetail: figures,
});

const streamAnswer = z.object({
  id: z.string(),
  name: z.string(),
  app: z.string(),
  url: text,
  clients: count,
  send_bytes: count,
  recv_bytes: count,
  kbps: z.object({ recv_30s: count }).catch({ recv_30s: 0 }),
  publish: z.object({ active: z.boolean(), cid: z.string().catch('') }).catch({ active: false, cid: '' }),
  video: videoAnswer.nullable().catch(null),
  audio: audioAnswer.nullable().catch(null),
  ext: streamDetails.optional().catch(undefined),
});

const clientDetails = z.object({
  droppedFrames: count,
  queuedBytes: count,
  userAgent: z.string().catch(''),
  detail: figures,
});
const noClientDetails = { droppedFrames: 0, queuedBytes: 0, userAgent: '', detail: undefined };

const clientAnswer = z.object({
  id: z.string(),
  stream: text,
  ip: text,
  type: text,
  publish: z.boolean().catch(false),
  pageUrl: z.string().catch(''),
  /** Seconds. */
  alive: count,
  send_bytes: count,
  recv_bytes: count,
  kbps: z.object({ recv_30s: count, send_30s: count }).catch({ recv_30s: 0, send_30s: 0 }),
  ext: clientDetails.catch(noClientDetails),
});

const refusalAnswer = z.object({
  at: z.string(),
  protocol: text,
  action: z.enum(['publish', 'play']),
  ip: text,
  app: text,
  stream: text,
  reason: z.enum(refusalReasons).catch('protocol-error'),
  detail: text,
});

const noFaults = { faults: 0, lastFault: '' };
const faultFigures = z.object({ faults: count, lastFault: z.string().catch('') }).catch(noFaults);

const summary = z.object({
  self: z
    .object({ pid: count, mem_kbyte: count, cpu_percent: count, ext: faultFigures })
    .catch({ pid: 0, mem_kbyte: 0, cpu_percent: 0, ext: noFaults }),
  system: z
    .object({ srs_recv_bytes: count, srs_send_bytes: count, conn_srs: count })
    .catch({ srs_recv_bytes: 0, srs_send_bytes: 0, conn_srs: 0 }),
});

export const streamsAnswer = z.object({ streams: z.array(streamAnswer) });
export const clientsAnswer = z.object({ clients: z.array(clientAnswer) });
export const summariesAnswer = z.object({ data: summary });
export const refusalsAnswer = z.object({ refusals: z.array(refusalAnswer) });
export const keyframeAnswer = z.object({ keyframe: z.object({ flv: z.base64() }) });
/** Every answer carries a result code; versions tell more, we need no more. */
export const codeAnswer = z.object({ code: z.number().int() });

export const versionsAnswer = z.object({
  code: z.literal(0),
  data: z.object({ version: text, product: text.optional() }),
});
/** `raw_api` of SRS: whether a reload may be asked for. */
export const rawAnswer = z.object({
  code: z.literal(0),
  http_api: z.object({ raw_api: z.object({ enabled: z.boolean(), allow_reload: z.boolean() }) }),
});

export function toStream(answer: z.infer<typeof streamAnswer>): MediaServerStream {
  return {
    id: answer.id,
    vhost: vhostOfUrl(answer.url),
    app: answer.app,
    stream: answer.name,
    isPublished: answer.publish.active,
    publisherClientId: answer.publish.active ? answer.publish.cid : '',
    clients: answer.clients,
    receivedBytes: answer.recv_bytes,
    sentBytes: answer.send_bytes,
    receivedKbps: answer.kbps.recv_30s,
    video: answer.video,
    audio: answer.audio && {
      codec: answer.audio.codec,
      sampleRate: answer.audio.sample_rate,
      channels: answer.audio.channel,
      profile: answer.audio.profile,
    },
    details: withoutUndefined(answer.ext),
  };
}

export function toClient(answer: z.infer<typeof clientAnswer>): MediaServerClient {
  const { id, stream, ip, type, publish, pageUrl, ext } = answer;
  const { detail, ...measured } = ext;
  return {
    id,
    streamId: stream,
    ip,
    type,
    isPublisher: publish,
    pageUrl,
    aliveMs: answer.alive * 1000,
    sentBytes: answer.send_bytes,
    receivedBytes: answer.recv_bytes,
    sentKbps: answer.kbps.send_30s,
    receivedKbps: answer.kbps.recv_30s,
    ...measured,
    ...(detail && { detail }),
  };
}

export function toRefusal(answer: z.infer<typeof refusalAnswer>): Refusal {
  return answer;
}

export function toSummary({ self, system }: z.infer<typeof summary>): MediaServerSummary {
  return {
    pid: self.pid,
    receivedBytes: system.srs_recv_bytes,
    sentBytes: system.srs_send_bytes,
    cpuCores: self.cpu_percent,
    memoryBytes: self.mem_kbyte * 1_024,
    connections: system.conn_srs,
    faults: self.ext.faults,
    lastFault: self.ext.lastFault,
  };
}

/** `stream_url` is `/app/stream` on the default vhost and `vhost/app/stream` elsewhere (`vhost` itself is an id). */
function vhostOfUrl(url: string): string {
  return url.startsWith('/') || url === '' ? defaultVhost : (url.split('/')[0] ?? defaultVhost);
}

function withoutUndefined(ext: z.infer<typeof streamDetails> | undefined): MediaServerStream['details'] {
  if (!ext) return undefined;
  const { viewersByProtocol, publisherDetail, slowViewers, health, ...rest } = ext;
  return {
    ...rest,
    ...(viewersByProtocol && { viewersByProtocol }),
    ...(publisherDetail && { publisherDetail }),
    ...(slowViewers !== undefined && { slowViewers }),
    ...(health && { health }),
  };
}
