// Rows of SRS's HTTP API. The gateway writes them; the control plane and the media server console read them. SRS 5 to 7 omit some fields: a
// missing number is read as 0, a missing string as ''. `ext` has the extensions of the built-in engine
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
    /** `rtmp`, `srt`, `rtc`, `rtsp`, `udp` or `hls`; empty without a publisher. */
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
    slateFile: optionalText,
    slateForMs: optionalNumber,
    backupForMs: optionalNumber,
    spares: optionalListOf(object({ priority: numberOrZero, isOnAir: flag })),
    /** Time since the last packet of the source, milliseconds; absent below 500. */
    silentForMs: optionalNumber,
    publisherDetail: detailFields,
    /** Bitrates of the HLS segments in bits per second, and the RFC 6381 names of the codecs. */
    hls: optionalObject(object({ peakBps: numberOrZero, averageBps: numberOrZero, codecs: text })),
  },
);

/** Undefined without `hasMedia`: another media server wrote this `ext`. */
const ownExtension: Reader<Read<typeof streamExtension> | undefined> = (value) =>
  isObject(value) && typeof value.hasMedia === 'boolean' ? streamExtension(value) : undefined;

export const readSrsStreamRow = object(
  {
    id: text,
    name: text,
    /** Id of the virtual host, such as `vid-xxxxxxx`; the name is in `url`. */
    vhost: text,
    app: text,
    tcUrl: text,
    /** `/app/stream` on the default virtual host, `vhost/app/stream` elsewhere. */
    url: text,
    /** Time of the response, milliseconds since 1970; not the start of the stream. */
    live_ms: numberOrZero,
    clients: numberOrZero,
    frames: numberOrZero,
    send_bytes: numberOrZero,
    recv_bytes: numberOrZero,
    kbps,
    /** `cid`: id of the publisher's connection; absent without a publisher. */
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
  /** Id of the stream, not its name. */
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
  /** `fragment`: seconds; absent while HLS is off. */
  hls: object({ enabled: flag }, { fragment: optionalNumber }),
});
export type SrsVhostRow = Read<typeof readSrsVhostRow>;

/** A refused publisher or viewer; not reported by SRS. */
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

/** A push of this server to another server; not reported by SRS. */
export const readSrsPushRow = object(
  {
    id: text,
    /** `app/stream`. */
    stream: text,
    state: oneOf(pushStates, 'waiting'),
    reason: oneOf(pushReasons, 'none'),
    /** Message of the target or the operating system, without secrets; may be empty. */
    detail: text,
    retryInMs: numberOrZero,
    reconnects: numberOrZero,
    sentBytes: numberOrZero,
    sentFrames: numberOrZero,
    droppedFrames: numberOrZero,
    mediaMs: numberOrZero,
    queuedBytes: numberOrZero,
    /** Media time that the target has not received yet, milliseconds. */
    queuedMs: numberOrZero,
  },
  {
    /** The latest failure, even after a recovery; absent if no attempt has failed. */
    lastFailure: optionalObject(object({ reason: oneOf(pushReasons, 'failed'), detail: text, agoMs: numberOrZero })),
    /**
     * `attemptMs`: milliseconds since the attempt began. `publishingMs`: milliseconds since the target accepted the stream. Each is absent
     * before its event.
     */
    attemptMs: optionalNumber,
    publishingMs: optionalNumber,
    /** Time until a delayed stream starts, milliseconds; absent without a delay and after the start. */
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

/** A test of a push target; not supported by SRS. */
export const readSrsPushTestRow = object(
  { isDone: flag, steps: listOf(pushTestStep) },
  { failure: optionalObject(object({ reason: oneOf(pushReasons, 'failed'), detail: text })), fourCcs: textList },
);
export type SrsPushTestRow = Read<typeof readSrsPushTestRow>;

/** State of a pull by this server; not reported by SRS. */
export const readSrsPullRow = object(
  {
    id: text,
    /** `app/stream`. */
    stream: text,
    state: oneOf(pullStates, 'connecting'),
    reason: oneOf(pullReasons, 'none'),
    /** Message of the source or the operating system, without secrets; may be empty. */
    detail: text,
    fault: oneOf(pullFaults, 'none'),
    /** Details of the fault, such as names of codecs; may be empty. */
    subject: text,
    retryInMs: numberOrZero,
    reconnects: numberOrZero,
    receivedBytes: numberOrZero,
    receivedFrames: numberOrZero,
    lostPackets: numberOrZero,
    /** Codecs of the source that are dropped. */
    leftOut: text,
  },
  {
    /**
     * `attemptMs`: milliseconds since the attempt began. `pullingMs`: milliseconds since the first media of the attempt. Each is absent
     * before its event.
     */
    attemptMs: optionalNumber,
    pullingMs: optionalNumber,
  },
);
export type SrsPullRow = Read<typeof readSrsPullRow>;

/** State and recent events of a channel; not reported by SRS. */
export const readSrsChannelRow = object({
  id: text,
  /** `app/stream`. */
  stream: text,
  state: oneOf(['on-air', 'waiting'], 'waiting'),
  /** Why the stream is not published; empty while published. */
  reason: text,
  /** `live`: live stream that replaces the files now. `awaited`: scheduled live stream that is not published. `app/stream`, or empty. */
  live: text,
  awaited: text,
  /** Id of the newest takeover that has ended. */
  overTakeover: text,
  /** Newest last. */
  events: listOf(
    object({
      /** Number of the event within the channel, from 1 at each start of the server. */
      number: numberOrZero,
      /** Milliseconds since 1970. */
      atMs: numberOrZero,
      /** Id of the entry; empty if no entry can be played. */
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

/** Playback reports of one stream and output since the start; not reported by SRS. `counts` is the result of `toRow`. */
export const readViewerRow = object({
  app: text,
  stream: text,
  output: oneOf(viewerOutputs, 'flv'),
  counts: listOf(numberOrZero),
});
export type ViewerRow = Read<typeof readViewerRow>;

/** Number of accepted and refused playback reports since the server started. */
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
/** Event loop delay and time in garbage collection during the five seconds before `endMs`. */
export type LoopWindow = Read<typeof loopWindow>;

const loopMetrics = object({ windows: listOf(loopWindow), gcCount: numberOrZero, gcMs: numberOrZero });
/** Windows of the last minute; garbage collection since the start of the process. */
export type LoopRow = Read<typeof loopMetrics>;

/** Slates since the start: number and total duration. */
const slateMetrics = object({ shown: numberOrZero, shownMs: numberOrZero });
export type SlateMetrics = Read<typeof slateMetrics>;

/** Used fields of `data` in `summaries`. */
export const readSrsSummaryRow = object({
  self: object({
    pid: numberOrZero,
    /** Seconds. */
    srs_uptime: numberOrZero,
    mem_kbyte: numberOrZero,
    /** Share of one core. */
    cpu_percent: numberOrZero,
    /** `faults`: number of unexpected errors since the start. `lastFault`: the newest unexpected error in one line; empty if none. */
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

/** `data` of the `versions` response. */
export const readSrsVersionsRow = object({ version: text }, { product: optionalText });
export type SrsVersionsRow = Read<typeof readSrsVersionsRow>;

/** Virtual host of a row, by its `url`. */
export function vhostOfSrsUrl(url: string): string {
  return url.startsWith('/') || url === '' ? defaultVhost : (url.split('/')[0] ?? defaultVhost);
}

/** Protocol of a client `type`: `rtmp` for `rtmp-play`. SRS's encoder types, such as `fmle-publish`, are RTMP too. */
export function protocolOfSrsType(type: string): string {
  const name = type.replace(/-(play|publish)$/, '').toLowerCase();
  return /^(fmle|flash|haivision|play|publish)$/.test(name) ? 'rtmp' : name;
}
