// Rows of SRS's HTTP API: the gateway writes them, the control plane and the media server console read them. Readers are lenient, because
// SRS 5 to 7 differ and report less: a missing number is 0, a missing string is empty. `ext` contains the extensions of the built-in engine
// (docs/reference/protocols/media-server-api.md).
import { defaultVhost } from '../constants.ts';
import type { StreamHealth } from '../models/stream-health.ts';
import { pullFaults, pullReasons, pullStates } from '../values/pulls.ts';
import { targetTestStates, targetTestSteps } from '../values/push-tests.ts';
import { pushReasons, pushStates } from '../values/pushes.ts';
import { refusalReasons } from '../values/refusals.ts';
import { viewerOutputs } from '../values/viewers.ts';
import {
  entriesOf,
  flag,
  isFiniteNumber,
  isObject,
  listOf,
  numberOrZero,
  object,
  objectOrNull,
  oneOf,
  optionalListOf,
  optionalNumber,
  optionalObject,
  optionalText,
  type Read,
  type Reader,
  text,
} from './lenient.ts';

/** Mean of the last 30 s, kbps. */
const kbps = object({ recv_30s: numberOrZero, send_30s: numberOrZero });

const counts = entriesOf(isFiniteNumber);
const detailFields = entriesOf((value) => isFiniteNumber(value) || typeof value === 'string');

const videoRow = object({ codec: text, profile: text, level: text, width: numberOrZero, height: numberOrZero });
export type SrsVideoRow = Read<typeof videoRow>;
const audioRow = object({ codec: text, sample_rate: numberOrZero, channel: numberOrZero, profile: text });
export type SrsAudioRow = Read<typeof audioRow>;

const health: Reader<StreamHealth> = object({
  silentMs: numberOrZero,
  videoSilentMs: numberOrZero,
  audioSilentMs: numberOrZero,
  longestGapMs: numberOrZero,
  arrivalSpreadMs: numberOrZero,
  audioOffsetMs: numberOrZero,
  keyframeAgeMs: numberOrZero,
  hasKeyframe: (value) => value !== false,
  hasBFrames: flag,
  videoKbps: numberOrZero,
  audioKbps: numberOrZero,
  declaredFps: numberOrZero,
  recentRepairs: numberOrZero,
  recentLostPackets: numberOrZero,
  recentMissingPackets: numberOrZero,
  recentDroppedVideo: numberOrZero,
  recentDroppedAudio: numberOrZero,
  recentDroppedOther: numberOrZero,
});

const streamExtension = object(
  {
    /** `rtmp`, `srt`, `rtc`; empty without a publisher. */
    protocol: text,
    ip: text,
    hasMedia: flag,
    fps: numberOrZero,
    keyframeIntervalMs: numberOrZero,
    bitrateHistoryKbps: listOf(numberOrZero),
    timestampRepairs: numberOrZero,
    publishedForMs: numberOrZero,
  },
  {
    viewersByProtocol: counts,
    slowViewers: optionalNumber,
    health: optionalObject(health),
    /** Name of the prepared slate. */
    slateFile: optionalText,
    /** Time since the slate started, milliseconds. */
    slateForMs: optionalNumber,
    /** Time since the backup source took over, milliseconds. */
    backupForMs: optionalNumber,
    /** Connected spare encoders, the preferred one first. */
    spares: optionalListOf(object({ priority: numberOrZero, isOnAir: flag })),
    /** Time since the last packet of the source, milliseconds; present from 500 on. */
    silentForMs: optionalNumber,
    publisherDetail: detailFields,
    /** Bitrates of the HLS segments, bits per second, and their RFC 6381 codec names. */
    hls: optionalObject(object({ peakBps: numberOrZero, averageBps: numberOrZero, codecs: text })),
  },
);

/** Undefined without `hasMedia`, because another program wrote the object. */
const ownExtension: Reader<Read<typeof streamExtension> | undefined> = (value) =>
  isObject(value) && typeof value.hasMedia === 'boolean' ? streamExtension(value) : undefined;

export const readSrsStreamRow = object(
  {
    id: text,
    name: text,
    /** Id of the virtual host, `vid-xxxxxxx`; its name is in `url`. */
    vhost: text,
    app: text,
    tcUrl: text,
    /** `/app/stream` on the default virtual host, `vhost/app/stream` elsewhere. */
    url: text,
    /** Wall clock of the response, milliseconds; not the start of the stream. */
    live_ms: numberOrZero,
    /** Number of publishers and players. */
    clients: numberOrZero,
    frames: numberOrZero,
    send_bytes: numberOrZero,
    recv_bytes: numberOrZero,
    kbps,
    /** `cid`: id of the publisher's connection while there is one. */
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
  alive: numberOrZero,
  send_bytes: numberOrZero,
  recv_bytes: numberOrZero,
  kbps,
  ext: object(
    { droppedFrames: numberOrZero, queuedBytes: numberOrZero, userAgent: text },
    {
      detail: detailFields,
      /** Priority of a spare encoder, 2 or more. */
      priority: optionalNumber,
    },
  ),
});
export type SrsClientRow = Read<typeof readSrsClientRow>;

export const readSrsVhostRow = object({
  id: text,
  name: text,
  enabled: flag,
  clients: numberOrZero,
  streams: numberOrZero,
  send_bytes: numberOrZero,
  recv_bytes: numberOrZero,
  kbps,
  /** `fragment` in seconds; present while HLS is on. */
  hls: object({ enabled: flag }, { fragment: optionalNumber }),
});
export type SrsVhostRow = Read<typeof readSrsVhostRow>;

/** A refused attempt; an extension of SRS. */
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

/** A stream that this server sends to another one; an extension of SRS. */
export const readSrsPushRow = object(
  {
    /** Id of the push order. */
    id: text,
    /** `app/stream`. */
    stream: text,
    state: oneOf(pushStates, 'waiting'),
    reason: oneOf(pushReasons, 'none'),
    /** Message of the target or the operating system, without secrets; may be empty. */
    detail: text,
    /** Time until the next attempt, milliseconds. */
    retryInMs: numberOrZero,
    reconnects: numberOrZero,
    sentBytes: numberOrZero,
    /** Number of video frames. */
    sentFrames: numberOrZero,
    droppedFrames: numberOrZero,
    /** Media time sent, milliseconds. */
    mediaMs: numberOrZero,
    queuedBytes: numberOrZero,
    /** Media time between the newest frame and the oldest one that the target has not received, milliseconds. */
    queuedMs: numberOrZero,
  },
  {
    /** The latest failure, even if the push sends again; absent before the first. */
    lastFailure: optionalObject(object({ reason: oneOf(pushReasons, 'failed'), detail: text, agoMs: numberOrZero })),
    /** Time since the attempt began, and since the target accepted the stream, milliseconds; absent before. */
    attemptMs: optionalNumber,
    publishingMs: optionalNumber,
    /** Time until a delayed stream starts, milliseconds; absent without a delay, and once it is sent. */
    startsInMs: optionalNumber,
  },
);
export type SrsPushRow = Read<typeof readSrsPushRow>;

const textList: Reader<string[] | undefined> = (value) =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
const pushTestStep = object({
  step: oneOf(targetTestSteps, 'name'),
  state: oneOf(targetTestStates, 'pending'),
  ms: numberOrZero,
});

/** A test of a push target, requested by the control plane; an extension of SRS. */
export const readSrsPushTestRow = object(
  { isDone: flag, steps: listOf(pushTestStep) },
  { failure: optionalObject(object({ reason: oneOf(pushReasons, 'failed'), detail: text })), fourCcs: textList },
);
export type SrsPushTestRow = Read<typeof readSrsPushTestRow>;

/** State of a pull by this server; an extension of SRS. */
export const readSrsPullRow = object(
  {
    /** Id of the pull order. */
    id: text,
    /** `app/stream`. */
    stream: text,
    state: oneOf(pullStates, 'connecting'),
    reason: oneOf(pullReasons, 'none'),
    /** Message of the source or the operating system, without secrets; may be empty. */
    detail: text,
    fault: oneOf(pullFaults, 'none'),
    /** What the fault is about, such as names of codecs; may be empty. */
    subject: text,
    /** Time until the next attempt, milliseconds. */
    retryInMs: numberOrZero,
    reconnects: numberOrZero,
    receivedBytes: numberOrZero,
    /** Number of video frames. */
    receivedFrames: numberOrZero,
    /** Number of RTP packets that never arrived. */
    lostPackets: numberOrZero,
    /** Codecs of the source that are dropped. */
    leftOut: text,
  },
  {
    /** Time since the attempt began, and since its first media, milliseconds; absent before. */
    attemptMs: optionalNumber,
    pullingMs: optionalNumber,
  },
);
export type SrsPullRow = Read<typeof readSrsPullRow>;

/** State and recent events of a channel of this server; an extension of SRS. */
export const readSrsChannelRow = object({
  /** Id of the channel order. */
  id: text,
  /** `app/stream`. */
  stream: text,
  state: oneOf(['on-air', 'waiting'], 'waiting'),
  /** Why the stream is not published; empty while it is. */
  reason: text,
  /** The live stream that is shown instead of files, and a scheduled one that is not published, `app/stream`; empty without one. */
  live: text,
  awaited: text,
  /** Id of the newest takeover that has ended. */
  overTakeover: text,
  /** Newest last. */
  events: listOf(
    object({
      /** Number of the event in its channel, starting with 1 at each start of the server. */
      number: numberOrZero,
      /** Milliseconds since 1970. */
      atMs: numberOrZero,
      /** Id of the entry; empty while nothing can be played. */
      entry: text,
      file: text,
      kind: oneOf(['started', 'failed', 'live', 'absent'], 'started'),
      detail: text,
      /** Position in the file at which playback started, milliseconds. */
      offsetMs: numberOrZero,
    }),
  ),
});
export type SrsChannelRow = Read<typeof readSrsChannelRow>;

/** Playback reports of one stream and output since this server started; an extension of SRS. `counts` in the form of `toRow`. */
export const readViewerRow = object({
  app: text,
  stream: text,
  output: oneOf(viewerOutputs, 'flv'),
  counts: listOf(numberOrZero),
});
export type ViewerRow = Read<typeof readViewerRow>;

/** Number of accepted and refused playback reports since the start. */
export const readViewerResults = object({
  accepted: numberOrZero,
  invalid: numberOrZero,
  unknown: numberOrZero,
  dropped: numberOrZero,
});
export type ViewerResults = Read<typeof readViewerResults>;

const loopWindow = object({
  endMs: numberOrZero,
  delayP99Ms: numberOrZero,
  delayP999Ms: numberOrZero,
  delayMaxMs: numberOrZero,
  gcMs: numberOrZero,
  gcMaxMs: numberOrZero,
});
/** Event loop delay of a gateway, and time spent in garbage collection, in the five seconds before `endMs`. */
export type LoopWindow = Read<typeof loopWindow>;

const loopMetrics = object({ windows: listOf(loopWindow), gcCount: numberOrZero, gcMs: numberOrZero });
/** Windows of the last minute, and garbage collection since the start. */
export type LoopRow = Read<typeof loopMetrics>;

/** Slates since the start: number and total duration. */
const slateMetrics = object({ shown: numberOrZero, shownMs: numberOrZero });
export type SlateMetrics = Read<typeof slateMetrics>;

/** The used fields of `data` of `summaries`. */
export const readSrsSummaryRow = object({
  self: object({
    pid: numberOrZero,
    /** Seconds. */
    srs_uptime: numberOrZero,
    mem_kbyte: numberOrZero,
    /** Share of one core. */
    cpu_percent: numberOrZero,
    /** Number of internal errors that were contained since the start, and the latest one in one line. */
    ext: object(
      { faults: numberOrZero, lastFault: text },
      { loop: optionalObject(loopMetrics), slates: optionalObject(slateMetrics) },
    ),
  }),
  system: object({
    cpus: numberOrZero,
    cpu_percent: numberOrZero,
    mem_ram_kbyte: numberOrZero,
    mem_ram_percent: numberOrZero,
    load_1m: numberOrZero,
    load_5m: numberOrZero,
    load_15m: numberOrZero,
    srs_recv_bytes: numberOrZero,
    srs_send_bytes: numberOrZero,
    conn_srs: numberOrZero,
  }),
});
export type SrsSummaryRow = Read<typeof readSrsSummaryRow>;

/** `data` of `versions`. */
export const readSrsVersionsRow = object({ version: text }, { product: optionalText });
export type SrsVersionsRow = Read<typeof readSrsVersionsRow>;

/** Virtual host in the `url` of a row. */
export function vhostOfSrsUrl(url: string): string {
  return url.startsWith('/') || url === '' ? defaultVhost : (url.split('/')[0] ?? defaultVhost);
}

/** Protocol of a client `type`: `rtmp-play` → `rtmp`. The encoder types of SRS, such as `fmle-publish`, are RTMP too. */
export function protocolOfSrsType(type: string): string {
  const name = type.replace(/-(play|publish)$/, '').toLowerCase();
  return /^(fmle|flash|haivision|play|publish)$/.test(name) ? 'rtmp' : name;
}
