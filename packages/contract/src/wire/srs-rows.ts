// Rows of SRS's HTTP API as the two processes and the media server console share them: the gateway writes them, the control
// plane and the page read them. Read leniently, because SRS 5 to 7 differ and tell less: a missing figure is 0, a missing text
// is empty. `ext` is what the embedded engine adds (docs/protocols/media-server-api.md).
import { defaultVhost } from '../constants.ts';
import type { StreamHealth } from '../models/stream-health.ts';
import { refusalReasons } from '../values/refusals.ts';
import { viewerOutputs } from '../values/viewers.ts';
import {
  entriesOf,
  figure,
  flag,
  isFigure,
  isObject,
  listOf,
  object,
  objectOrNull,
  oneOf,
  optionalFigure,
  optionalObject,
  optionalText,
  type Read,
  type Reader,
  text,
} from './lenient.ts';

/** Mean of the last 30 s, kbps. */
const kbps = object({ recv_30s: figure, send_30s: figure });

const counts = entriesOf(isFigure);
const figures = entriesOf((value) => isFigure(value) || typeof value === 'string');

const videoRow = object({ codec: text, profile: text, level: text, width: figure, height: figure });
export type SrsVideoRow = Read<typeof videoRow>;
const audioRow = object({ codec: text, sample_rate: figure, channel: figure, profile: text });
export type SrsAudioRow = Read<typeof audioRow>;

const health: Reader<StreamHealth> = object({
  silentMs: figure,
  videoSilentMs: figure,
  audioSilentMs: figure,
  longestGapMs: figure,
  arrivalSpreadMs: figure,
  audioOffsetMs: figure,
  keyframeAgeMs: figure,
  hasKeyframe: (value) => value !== false,
  hasBFrames: flag,
  videoKbps: figure,
  audioKbps: figure,
  declaredFps: figure,
  recentRepairs: figure,
  recentLostPackets: figure,
  recentMissingPackets: figure,
  recentDroppedVideo: figure,
  recentDroppedAudio: figure,
  recentDroppedOther: figure,
});

const streamExtension = object(
  {
    /** `rtmp`, `srt`, `rtc`; empty without a publisher. */
    protocol: text,
    ip: text,
    hasMedia: flag,
    fps: figure,
    keyframeIntervalMs: figure,
    bitrateHistoryKbps: listOf(figure),
    timestampRepairs: figure,
    publishedForMs: figure,
  },
  {
    viewersByProtocol: counts,
    slowViewers: optionalFigure,
    health: optionalObject(health),
    publisherDetail: figures,
    /** Of the HLS segments, bits per second, and names of RFC 6381. */
    hls: optionalObject(object({ peakBps: figure, averageBps: figure, codecs: text })),
  },
);

/** An object without `hasMedia` is another program's. */
const ownExtension: Reader<Read<typeof streamExtension> | undefined> = (value) =>
  isObject(value) && typeof value.hasMedia === 'boolean' ? streamExtension(value) : undefined;

export const readSrsStreamRow = object(
  {
    id: text,
    name: text,
    /** Id of the virtual host, `vid-xxxxxxx`; its name stands in `url`. */
    vhost: text,
    app: text,
    tcUrl: text,
    /** `/app/stream` on the default virtual host, `vhost/app/stream` elsewhere. */
    url: text,
    /** Wall clock of the answer, milliseconds: not since when the stream is live. */
    live_ms: figure,
    /** Publisher and players. */
    clients: figure,
    frames: figure,
    send_bytes: figure,
    recv_bytes: figure,
    kbps,
    /** With the id of the publisher's connection while there is one. */
    publish: object({ active: flag }, { cid: optionalText }),
    video: objectOrNull(videoRow),
    audio: objectOrNull(audioRow),
  },
  { ext: ownExtension },
);
export type SrsStreamRow = Read<typeof readSrsStreamRow>;

export const readSrsClientRow = object({
  id: text,
  vhost: text,
  /** Id of the stream. */
  stream: text,
  ip: text,
  pageUrl: text,
  swfUrl: text,
  tcUrl: text,
  url: text,
  name: text,
  /** `rtmp-play`, `fmle-publish`, … */
  type: text,
  publish: flag,
  /** Seconds. */
  alive: figure,
  send_bytes: figure,
  recv_bytes: figure,
  kbps,
  ext: object({ droppedFrames: figure, queuedBytes: figure, userAgent: text }, { detail: figures }),
});
export type SrsClientRow = Read<typeof readSrsClientRow>;

export const readSrsVhostRow = object({
  id: text,
  name: text,
  enabled: flag,
  clients: figure,
  streams: figure,
  send_bytes: figure,
  recv_bytes: figure,
  kbps,
  /** `fragment` in seconds, while HLS is on. */
  hls: object({ enabled: flag }, { fragment: optionalFigure }),
});
export type SrsVhostRow = Read<typeof readSrsVhostRow>;

/** An attempt that was turned away; SRS has no such list. */
export const readSrsRefusalRow = object({
  /** RFC 3339. */
  at: text,
  protocol: text,
  action: oneOf(['publish', 'play'], 'publish'),
  ip: text,
  app: text,
  stream: text,
  reason: oneOf(refusalReasons, 'protocol-error'),
  detail: text,
});
export type SrsRefusalRow = Read<typeof readSrsRefusalRow>;

/** What the viewers of one stream and output told this server since it began; SRS has no such list. `counts` as `toRow` writes them. */
export const readViewerRow = object({
  app: text,
  stream: text,
  output: oneOf(viewerOutputs, 'flv'),
  counts: listOf(figure),
});
export type ViewerRow = Read<typeof readViewerRow>;

/** What became of reports of viewers since the start. */
export const readViewerResults = object({ accepted: figure, invalid: figure, unknown: figure, dropped: figure });
export type ViewerResults = Read<typeof readViewerResults>;

const loopWindow = object({
  endMs: figure,
  delayP99Ms: figure,
  delayP999Ms: figure,
  delayMaxMs: figure,
  gcMs: figure,
  gcMaxMs: figure,
});
/** Delay of the event loop of a gateway, and time in garbage collection, in the five seconds before `endMs`. */
export type LoopWindow = Read<typeof loopWindow>;

const loopFigures = object({ windows: listOf(loopWindow), gcCount: figure, gcMs: figure });
/** Windows of the last minute; collections since the start. */
export type LoopRow = Read<typeof loopFigures>;

/** `data` of `summaries`, the figures somebody reads. */
export const readSrsSummaryRow = object({
  self: object({
    pid: figure,
    /** Seconds. */
    srs_uptime: figure,
    mem_kbyte: figure,
    /** Of one processor, 1 is all of it. */
    cpu_percent: figure,
    /** Errors contained since the start, and the newest of them in one line. */
    ext: object({ faults: figure, lastFault: text }, { loop: optionalObject(loopFigures) }),
  }),
  system: object({
    cpus: figure,
    cpu_percent: figure,
    mem_ram_kbyte: figure,
    mem_ram_percent: figure,
    load_1m: figure,
    load_5m: figure,
    load_15m: figure,
    srs_recv_bytes: figure,
    srs_send_bytes: figure,
    conn_srs: figure,
  }),
});
export type SrsSummaryRow = Read<typeof readSrsSummaryRow>;

/** `data` of `versions`. */
export const readSrsVersionsRow = object({ version: text }, { product: optionalText });
export type SrsVersionsRow = Read<typeof readSrsVersionsRow>;

/** Virtual host of a row's `url`. */
export function vhostOfSrsUrl(url: string): string {
  return url.startsWith('/') || url === '' ? defaultVhost : (url.split('/')[0] ?? defaultVhost);
}

/** How a client of this `type` speaks: `rtmp-play` → `rtmp`; the encoders SRS tells apart → their protocol. */
export function protocolOfSrsType(type: string): string {
  const name = type.replace(/-(play|publish)$/, '').toLowerCase();
  return /^(fmle|flash|haivision|play|publish)$/.test(name) ? 'rtmp' : name;
}
