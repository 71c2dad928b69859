// Computes WebRTC metrics from two samples of the browser's statistics. Pure.

/** The used fields of `RTCStats`. Browsers omit unmeasured fields. */
export interface StatsEntry {
  readonly type: string;
  readonly id: string;
  readonly [name: string]: unknown;
}

/** Counters of a sample, for comparison with the next sample. */
export interface StatsSample {
  readonly atMs: number;
  readonly bytes: number;
  readonly packets: number;
  readonly lost: number;
  readonly jitterBufferSeconds: number;
  readonly jitterBufferFrames: number;
}

/** Undefined values are not known. */
export interface RtcMetrics {
  readonly bitrateKbps: number | undefined;
  readonly fps: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly rttMs: number | undefined;
  /** Packets lost in the last interval, percent. */
  readonly lossPercent: number | undefined;
  /** Delay added by the jitter buffer. */
  readonly jitterBufferMs: number | undefined;
  readonly videoCodec: string | undefined;
  readonly audioCodec: string | undefined;
  /** Why the encoder's bitrate is below the target: `cpu`, `bandwidth`, `other`, or `none`. */
  readonly limitation: string | undefined;
}

export interface ReadStats {
  readonly sample: StatsSample;
  readonly metrics: RtcMetrics;
}

/** Reads a publisher's statistics. The server reports the lost packets; the browser counts the sent packets. */
export function readPublishStats(entries: Iterable<StatsEntry>, atMs: number, before?: StatsSample): ReadStats {
  const all = [...entries];
  const sent = all.filter(({ type }) => type === 'outbound-rtp');
  const reports = all.filter(({ type }) => type === 'remote-inbound-rtp');
  const video = sent.find(({ kind }) => kind === 'video');
  const sample: StatsSample = {
    atMs,
    bytes: sum(sent, 'bytesSent'),
    packets: sum(sent, 'packetsSent'),
    lost: sum(reports, 'packetsLost'),
    jitterBufferSeconds: 0,
    jitterBufferFrames: 0,
  };
  const reason = video?.qualityLimitationReason;
  return {
    sample,
    metrics: toRtcMetrics(all, video, sent, { sample, before }, typeof reason === 'string' ? reason : ''),
  };
}

/** Reads the statistics of a player. */
export function readPlayStats(entries: Iterable<StatsEntry>, atMs: number, before?: StatsSample): ReadStats {
  const all = [...entries];
  const received = all.filter(({ type }) => type === 'inbound-rtp');
  const video = received.find(({ kind }) => kind === 'video');
  const shown = video && number(video, 'jitterBufferEmittedCount') ? video : received[0];
  const lost = sum(received, 'packetsLost');
  const sample: StatsSample = {
    atMs,
    bytes: sum(received, 'bytesReceived'),
    packets: sum(received, 'packetsReceived') + lost,
    lost,
    jitterBufferSeconds: (shown && number(shown, 'jitterBufferDelay')) ?? 0,
    jitterBufferFrames: (shown && number(shown, 'jitterBufferEmittedCount')) ?? 0,
  };
  return { sample, metrics: toRtcMetrics(all, video, received, { sample, before }, '') };
}

/** Latency from server to player, seconds: jitter buffer plus half a round trip. */
export function playDelaySeconds({ jitterBufferMs, rttMs }: RtcMetrics): number | undefined {
  if (jitterBufferMs === undefined) return undefined;
  return (jitterBufferMs + (rttMs ?? 0) / 2) / 1000;
}

function toRtcMetrics(
  all: readonly StatsEntry[],
  video: StatsEntry | undefined,
  streams: readonly StatsEntry[],
  { sample, before }: { sample: StatsSample; before: StatsSample | undefined },
  limitation: string,
): RtcMetrics {
  const audio = streams.find(({ kind }) => kind === 'audio');
  const seconds = before ? (sample.atMs - before.atMs) / 1000 : 0;
  return {
    bitrateKbps: before && seconds > 0 ? ((sample.bytes - before.bytes) * 8) / 1000 / seconds : undefined,
    fps: video && number(video, 'framesPerSecond'),
    width: video && number(video, 'frameWidth'),
    height: video && number(video, 'frameHeight'),
    rttMs: roundTripMs(all),
    lossPercent: before && lossPercent(sample, before),
    jitterBufferMs: before && jitterBufferMs(sample, before),
    videoCodec: video && codecOf(all, video),
    audioCodec: audio && codecOf(all, audio),
    limitation: limitation || undefined,
  };
}

/** Prefers the server's reports, because the browser rarely measures the candidate pair. */
function roundTripMs(all: readonly StatsEntry[]): number | undefined {
  const reported = all.flatMap((entry) =>
    entry.type === 'remote-inbound-rtp' ? (number(entry, 'roundTripTime') ?? []) : [],
  );
  const pair = all.find((entry) => entry.type === 'candidate-pair' && entry.state === 'succeeded' && entry.nominated);
  const seconds = reported.length > 0 ? Math.max(...reported) : pair && number(pair, 'currentRoundTripTime');
  return seconds === undefined ? undefined : seconds * 1000;
}

function lossPercent(sample: StatsSample, before: StatsSample): number | undefined {
  const packets = sample.packets - before.packets;
  if (packets <= 0) return undefined;
  return Math.min(100, Math.max(0, ((sample.lost - before.lost) / packets) * 100));
}

function jitterBufferMs(sample: StatsSample, before: StatsSample): number | undefined {
  const frames = sample.jitterBufferFrames - before.jitterBufferFrames;
  if (frames <= 0) return undefined;
  return ((sample.jitterBufferSeconds - before.jitterBufferSeconds) / frames) * 1000;
}

/** Returns `H264`, or `avc1.42e01f` if the profile is known. */
function codecOf(all: readonly StatsEntry[], stream: StatsEntry): string | undefined {
  const codec = all.find(({ type, id }) => type === 'codec' && id === stream.codecId);
  if (typeof codec?.mimeType !== 'string') return undefined;
  const name = codec.mimeType.replace(/^(audio|video)\//, '');
  const profile = /profile-level-id=([0-9a-f]{6})/i.exec(String(codec.sdpFmtpLine ?? ''))?.[1];
  return profile && /^h264$/i.test(name) ? `avc1.${profile}` : name;
}

function number(entry: StatsEntry, name: string): number | undefined {
  const value = entry[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function sum(entries: readonly StatsEntry[], name: string): number {
  return entries.reduce((total, entry) => total + (number(entry, name) ?? 0), 0);
}
