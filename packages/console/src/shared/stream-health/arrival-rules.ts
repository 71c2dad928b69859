// Rules about missing, delayed and lost media. Pure.
import { finding, type HealthRule, seconds } from './health-finding.ts';

/** Maximum time from the acceptance of an encoder to its first media, milliseconds. */
const firstMediaMs = 5_000;
/** Minimum current pause that is reported, milliseconds. Viewers with a short buffer notice longer pauses. */
const stallMs = 2_000;
/** Minimum pause in the last minute that is reported, milliseconds: about the buffer of a low-latency player. */
const pauseMs = 1_000;
/** Time after the start in which metrics are ignored, milliseconds. The first media of an encoder or relay arrives in a burst. */
const settledMs = 20_000;
/** Variation of packet arrival, milliseconds, above which players stall. */
const spreadMs = 1_000;
/** Seconds of history that the rule requires, and the number of recent seconds that are compared with the seconds before. */
const historyNeeded = 10;
const recentSeconds = 5;
/** Minimum ratio of the recent mean bitrate to the earlier mean. Below this ratio, the uplink or encoder is overloaded. */
const dropShare = 0.4;
/** Number of timestamp repairs per minute that viewers notice. */
const manyRepairs = 10;
/** Minimum number of lost packets per minute that is reported, and the minimum share of lost packets for a warning. */
const fewLost = 5;
const lossShare = 0.02;
/** Media bytes per network packet. SRT carries 7 TS packets; RTP carries slightly less. */
const packetBytes = 1_316;
/** Round trips that SRT needs to recover a lost packet, including one spare attempt. */
const srtRoundTrips = 3;
/** Rounding step of recommended values, milliseconds. */
const latencyStepMs = 20;

const noMedia: HealthRule = ({ hasMedia, uptimeMs }) =>
  !hasMedia && uptimeMs > firstMediaMs ? finding('bad', 'no-media', { seconds: seconds(uptimeMs) }) : undefined;

const stalled: HealthRule = ({ hasMedia, health }) =>
  hasMedia && health && health.silentMs > stallMs
    ? finding('bad', 'stalled', { seconds: seconds(health.silentMs) })
    : undefined;

const pauses: HealthRule = ({ uptimeMs, health }) => {
  if (!health || uptimeMs < settledMs || health.silentMs > stallMs || health.longestGapMs <= pauseMs) return undefined;
  return finding('warning', 'pauses', { seconds: seconds(health.longestGapMs) });
};

const latePackets: HealthRule = ({ uptimeMs, health }) => {
  if (!health || uptimeMs < settledMs || health.longestGapMs > pauseMs || health.arrivalSpreadMs <= spreadMs) {
    return undefined;
  }
  return finding('warning', 'late-packets', { seconds: seconds(health.arrivalSpreadMs) });
};

const bitrateDrop: HealthRule = ({ bitrateHistoryKbps: history }) => {
  if (history.length < historyNeeded) return undefined;
  const meanKbps = mean(history.slice(0, -recentSeconds));
  const lowKbps = mean(history.slice(-recentSeconds));
  if (meanKbps === 0 || lowKbps >= meanKbps * dropShare) return undefined;
  return finding('warning', 'bitrate-drop', { lowKbps: Math.round(lowKbps), meanKbps: Math.round(meanKbps) });
};

const timestamps: HealthRule = ({ health }) => {
  if (!health || health.recentRepairs === 0) return undefined;
  return finding(health.recentRepairs >= manyRepairs ? 'warning' : 'info', 'timestamps', {
    count: health.recentRepairs,
  });
};

const messagesDropped: HealthRule = ({ health }) => {
  if (!health) return undefined;
  const { recentDroppedVideo: video, recentDroppedAudio: audio, recentDroppedOther: other } = health;
  const count = video + audio + other;
  if (count === 0) return undefined;
  return finding(video + audio > 0 ? 'warning' : 'info', 'messages-dropped', { count, video, audio, other });
};

const packetsMissing: HealthRule = ({ health, publisherProtocol }) => {
  if (!health || health.recentMissingPackets === 0) return undefined;
  return finding('bad', 'packets-missing', { count: health.recentMissingPackets, protocol: nameOf(publisherProtocol) });
};

const packetsLost: HealthRule = ({ health, publisherProtocol, bitrateHistoryKbps }) => {
  if (!health || health.recentMissingPackets > 0 || health.recentLostPackets < fewLost) return undefined;
  const received = (bitrateHistoryKbps.reduce((sum, kbps) => sum + kbps, 0) * 125) / packetBytes;
  const share = health.recentLostPackets / (health.recentLostPackets + received);
  return finding(share >= lossShare ? 'warning' : 'info', 'packets-lost', {
    count: health.recentLostPackets,
    percent: (share * 100).toFixed(1),
    protocol: nameOf(publisherProtocol),
  });
};

const shortLatency: HealthRule = ({ publisherProtocol, publisherDetail }) => {
  const { rttMs, latencyMs } = publisherDetail ?? {};
  if (publisherProtocol !== 'srt' || typeof rttMs !== 'number' || typeof latencyMs !== 'number') return undefined;
  const neededMs = rttMs * srtRoundTrips;
  if (rttMs <= 0 || latencyMs >= neededMs) return undefined;
  const wantedMs = Math.ceil(neededMs / latencyStepMs) * latencyStepMs;
  return finding('warning', 'short-latency', {
    latencyMs: Math.round(latencyMs),
    rttMs: Math.round(rttMs),
    wantedMs,
  });
};

export const arrivalRules: readonly HealthRule[] = [
  noMedia,
  stalled,
  packetsMissing,
  messagesDropped,
  bitrateDrop,
  pauses,
  latePackets,
  packetsLost,
  shortLatency,
  timestamps,
];

function nameOf(protocol: string): string {
  return protocol === 'rtc' ? 'WebRTC' : protocol.toUpperCase();
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
