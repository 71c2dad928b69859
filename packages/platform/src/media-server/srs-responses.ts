// Schemas for responses of SRS 5 to 7 and for the `ext` objects of the built-in engine. Lenient: a missing number is 0.
import type { Refusal } from '@srs-stack/contract';
import {
  readSrsChannelRow,
  readSrsClientRow,
  readSrsPullRow,
  readSrsPushRow,
  readSrsPushTestRow,
  readSrsRefusalRow,
  readSrsStreamRow,
  readSrsSummaryRow,
  readSrsVersionsRow,
  readViewerResults,
  readViewerRow,
  type SrsClientRow,
  type SrsRefusalRow,
  type SrsStreamRow,
  type SrsSummaryRow,
  vhostOfSrsUrl,
} from '@srs-stack/contract/wire/srs-rows.ts';
import { z } from 'zod';
import type { MediaServerClient, MediaServerStream, MediaServerSummary } from './media-server.ts';

/** Every row needs these fields. A response without them is not from SRS and is refused. */
const rowsWith = <Keys extends z.ZodRawShape, Row>(keys: Keys, read: (row: unknown) => Row) =>
  z.array(z.looseObject(keys).transform(read));
const name = z.string();

export const streamsResponse = z.object({ streams: rowsWith({ id: name, name, app: name }, readSrsStreamRow) });
export const clientsResponse = z.object({ clients: rowsWith({ id: name }, readSrsClientRow) });
const rawRows = z.array(z.looseObject({ id: name })).optional();
export const rowsResponse = z.object({ streams: rawRows, clients: rawRows, vhosts: rawRows });
export const rawSummaryResponse = z.object({ data: z.looseObject({}) });
export const summariesResponse = z.object({ data: z.looseObject({}).transform(readSrsSummaryRow) });
const actions = z.enum(['publish', 'play']);
export const refusalsResponse = z.object({ refusals: rowsWith({ at: name, action: actions }, readSrsRefusalRow) });
export const pushesResponse = z.object({ code: z.literal(0), pushes: rowsWith({ id: name }, readSrsPushRow) });
export const pushTestResponse = z.object({ code: z.literal(0), test: z.looseObject({}).transform(readSrsPushTestRow) });
export const pullsResponse = z.object({ code: z.literal(0), pulls: rowsWith({ id: name }, readSrsPullRow) });
export const channelsResponse = z.object({ code: z.literal(0), channels: rowsWith({ id: name }, readSrsChannelRow) });
export const viewersResponse = z.object({
  code: z.literal(0),
  pid: z.union([z.string(), z.number()]).transform(Number),
  rows: rowsWith({ app: name, stream: name, output: name }, readViewerRow),
  results: z.looseObject({}).transform(readViewerResults),
});
export const keyframeResponse = z.object({ keyframe: z.object({ flv: z.base64() }) });
/** Every response has a result code. No other field is required. */
export const codeResponse = z.object({ code: z.number().int() });

export const versionsResponse = z.object({
  code: z.literal(0),
  data: z.looseObject({}).transform(readSrsVersionsRow),
});
/** Result of the last reload. `rid` is the id of the reload, `state` 90 means done. `err` is 0 unless the configuration is invalid. */
export const reloadResponse = z.object({
  code: z.literal(0),
  data: z.object({ err: z.number(), msg: z.string(), state: z.number(), rid: z.string() }),
});
/** `raw_api` of SRS: whether a reload is allowed. */
export const rawResponse = z.object({
  code: z.literal(0),
  http_api: z.object({ raw_api: z.object({ enabled: z.boolean(), allow_reload: z.boolean() }) }),
});

export function toStream(row: SrsStreamRow): MediaServerStream {
  return {
    id: row.id,
    vhost: vhostOfSrsUrl(row.url),
    app: row.app,
    stream: row.name,
    isPublished: row.publish.active,
    publisherClientId: row.publish.active ? (row.publish.cid ?? '') : '',
    clients: row.clients,
    receivedBytes: row.recv_bytes,
    sentBytes: row.send_bytes,
    receivedKbps: row.kbps.recv_30s,
    video: row.video,
    audio: row.audio && {
      codec: row.audio.codec,
      sampleRate: row.audio.sample_rate,
      channels: row.audio.channel,
      profile: row.audio.profile,
    },
    details: withoutUndefined(row.ext),
  };
}

export function toClient(row: SrsClientRow): MediaServerClient {
  const { id, stream, ip, type, publish, pageUrl, ext } = row;
  const { detail, priority, ...measured } = ext;
  return {
    id,
    streamId: stream,
    ip,
    type,
    isPublisher: publish,
    pageUrl,
    aliveMs: row.alive * 1000,
    sentBytes: row.send_bytes,
    receivedBytes: row.recv_bytes,
    sentKbps: row.kbps.send_30s,
    receivedKbps: row.kbps.recv_30s,
    ...measured,
    ...(detail && { detail }),
    ...(priority !== undefined && { priority }),
  };
}

export function toRefusal(row: SrsRefusalRow): Refusal {
  return row;
}

export function toSummary({ self, system }: SrsSummaryRow): MediaServerSummary {
  return {
    pid: self.pid,
    receivedBytes: system.srs_recv_bytes,
    sentBytes: system.srs_send_bytes,
    cpuCores: self.cpu_percent,
    memoryBytes: self.mem_kbyte * 1_024,
    connections: system.conn_srs,
    faults: self.ext.faults,
    lastFault: self.ext.lastFault,
    loop: self.ext.loop,
    slates: self.ext.slates,
  };
}

function withoutUndefined(ext: SrsStreamRow['ext']): MediaServerStream['details'] {
  if (!ext) return undefined;
  const {
    viewersByProtocol,
    publisherDetail,
    slowViewers,
    health,
    slateFile,
    slateForMs,
    backupForMs,
    spares,
    silentForMs,
    hls,
    timestampRepairs: _,
    ...rest
  } = ext;
  return {
    ...rest,
    ...(viewersByProtocol && { viewersByProtocol }),
    ...(publisherDetail && { publisherDetail }),
    ...(slowViewers !== undefined && { slowViewers }),
    ...(health && { health }),
    ...(slateFile !== undefined && { slateFile }),
    ...(slateForMs !== undefined && { slateForMs }),
    ...(backupForMs !== undefined && { backupForMs }),
    ...(spares && { spares }),
    ...(silentForMs !== undefined && { silentForMs }),
    ...(hls && { hls }),
  };
}
