// Rows of SRS's HTTP API as the two processes and the media server console share them: the gateway writes them, the control
// plane and the page read them. Read leniently, because SRS 5 to 7 differ and tell less: a missing figure is 0, a missing text
// is empty. `ext` is what the embedded engine adds (docs/protocols/media-server-api.md).
import { z } from 'zod';
import { refusalReasons } from '../models/live-stream.ts';
import { streamHealth } from '../models/stream-health.ts';

const count = z.number().catch(0);
const text = z.coerce.string().catch('');
/** A text that SRS leaves out. */
const optionalText = z.string().catch('');

/** Mean of the last 30 s, kbps. */
const kbps = z.object({ recv_30s: count, send_30s: count }).catch({ recv_30s: 0, send_30s: 0 });

const figures = z
  .record(z.string(), z.union([z.number(), z.string()]))
  .optional()
  .catch(undefined);

const videoRow = z.object({ codec: text, profile: text, level: text, width: count, height: count });
export type SrsVideoRow = z.infer<typeof videoRow>;
const audioRow = z.object({ codec: text, sample_rate: count, channel: count, profile: text });
export type SrsAudioRow = z.infer<typeof audioRow>;

const streamExtension = z.object({
  /** `rtmp`, `srt`, `rtc`; empty without a publisher. */
  protocol: text,
  ip: text,
  hasMedia: z.boolean(),
  fps: count,
  keyframeIntervalMs: count,
  bitrateHistoryKbps: z.array(z.number()).readonly().catch([]),
  timestampRepairs: count,
  publishedForMs: count,
  viewersByProtocol: z.record(z.string(), z.number()).optional().catch(undefined),
  slowViewers: z.number().optional().catch(undefined),
  health: streamHealth.optional().catch(undefined),
  publisherDetail: figures,
});

export const srsStreamRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Id of the virtual host, `vid-xxxxxxx`; its name stands in `url`. */
  vhost: text,
  app: z.string(),
  tcUrl: text,
  /** `/app/stream` on the default virtual host, `vhost/app/stream` elsewhere. */
  url: text,
  /** Wall clock of the answer, milliseconds: not since when the stream is live. */
  live_ms: count,
  /** Publisher and players. */
  clients: count,
  frames: count,
  send_bytes: count,
  recv_bytes: count,
  kbps,
  /** With the id of the publisher's connection while there is one. */
  publish: z.object({ active: z.boolean(), cid: z.string().optional().catch(undefined) }).catch({ active: false }),
  video: videoRow.nullable().catch(null),
  audio: audioRow.nullable().catch(null),
  ext: streamExtension.optional().catch(undefined),
});
export type SrsStreamRow = z.infer<typeof srsStreamRow>;

const noClientExtension = { droppedFrames: 0, queuedBytes: 0, userAgent: '' };

export const srsClientRow = z.object({
  id: z.string(),
  vhost: text,
  /** Id of the stream. */
  stream: text,
  ip: text,
  pageUrl: optionalText,
  swfUrl: optionalText,
  tcUrl: optionalText,
  url: optionalText,
  name: optionalText,
  /** `rtmp-play`, `fmle-publish`, … */
  type: text,
  publish: z.boolean().catch(false),
  /** Seconds. */
  alive: count,
  send_bytes: count,
  recv_bytes: count,
  kbps,
  ext: z
    .object({ droppedFrames: count, queuedBytes: count, userAgent: optionalText, detail: figures })
    .catch(noClientExtension),
});
export type SrsClientRow = z.infer<typeof srsClientRow>;

/** An attempt that was turned away; SRS has no such list. */
export const srsRefusalRow = z.object({
  /** RFC 3339. */
  at: z.string(),
  protocol: text,
  action: z.enum(['publish', 'play']),
  ip: text,
  app: text,
  stream: text,
  reason: z.enum(refusalReasons).catch('protocol-error'),
  detail: text,
});
export type SrsRefusalRow = z.infer<typeof srsRefusalRow>;

const noFaults = { faults: 0, lastFault: '' };
const noOwnFigures = { pid: 0, srs_uptime: 0, mem_kbyte: 0, cpu_percent: 0, ext: noFaults };
const noSystemFigures = {
  cpus: 0,
  cpu_percent: 0,
  mem_ram_kbyte: 0,
  mem_ram_percent: 0,
  load_1m: 0,
  load_5m: 0,
  load_15m: 0,
  srs_recv_bytes: 0,
  srs_send_bytes: 0,
  conn_srs: 0,
};

/** `data` of `summaries`, the figures somebody reads. */
export const srsSummaryRow = z.object({
  self: z
    .object({
      pid: count,
      /** Seconds. */
      srs_uptime: count,
      mem_kbyte: count,
      /** Of one processor, 1 is all of it. */
      cpu_percent: count,
      /** Errors contained since the start, and the newest of them in one line. */
      ext: z.object({ faults: count, lastFault: optionalText }).catch(noFaults),
    })
    .catch(noOwnFigures),
  system: z
    .object({
      cpus: count,
      cpu_percent: count,
      mem_ram_kbyte: count,
      mem_ram_percent: count,
      load_1m: count,
      load_5m: count,
      load_15m: count,
      srs_recv_bytes: count,
      srs_send_bytes: count,
      conn_srs: count,
    })
    .catch(noSystemFigures),
});
export type SrsSummaryRow = z.infer<typeof srsSummaryRow>;

/** `data` of `versions`. */
export const srsVersionsRow = z.object({ version: text, product: text.optional() });
export type SrsVersionsRow = z.infer<typeof srsVersionsRow>;
