// Rules about keyframes, frame rate, bitrate, tracks and codecs of a stream. Pure.
import type { LiveStream } from '@srs-stack/contract';
import { codecName } from '../../players/codec-name.ts';
import { finding, type HealthRule, seconds } from './health-finding.ts';

/** Maximum recommended keyframe interval, milliseconds. Longer intervals delay the start for every viewer. */
const keyframeIntervalMs = 4_000;
/** Time without a keyframe, milliseconds, after which new viewers see nothing. */
const keyframeMissingMs = 5_000;
/** Keyframes count as missing after this multiple of their usual interval. */
const keyframeLateTimes = 3;
/** Time after the start in which metrics are ignored, milliseconds. */
const settledMs = 10_000;
/** Minimum share of the announced frame rate. An encoder with a lower rate is overloaded. */
const fpsShare = 0.85;
/** A track counts as stopped after this pause, milliseconds, if the second track continues. */
const trackSilenceMs = 4_000;
/** Offset between audio and video that viewers notice, milliseconds. Such an offset stalls players that wait for both tracks. */
const offsetMs = 700;
/** Audio below this bitrate counts as silence, kbit/s, because silent AAC has only a few bytes per frame. */
const emptyAudioKbps = 4;
/** Sufficient bits per pixel and frame for live H.264. More bits cause load without better quality. */
const bitsPerPixel = 0.25;
const usualFps = 30;
/** Bitrates up to this value are never reported, kbit/s. */
const modestKbps = 6_000;

const noKeyframe: HealthRule = ({ video, health, keyframeIntervalMs: intervalMs }) => {
  if (!video || !health) return undefined;
  const allowedMs = Math.max(keyframeMissingMs, intervalMs * keyframeLateTimes);
  const limitMs = health.hasKeyframe ? Math.max(2 * keyframeMissingMs, allowedMs) : keyframeMissingMs;
  if (health.keyframeAgeMs <= limitMs) return undefined;
  return finding('bad', 'no-keyframe', { seconds: seconds(health.keyframeAgeMs) });
};

const keyframeInterval: HealthRule = (stream) => {
  const { video, keyframeIntervalMs: intervalMs } = stream;
  if (!video || intervalMs <= keyframeIntervalMs || noKeyframe(stream)) return undefined;
  return finding('warning', 'keyframe-interval', { seconds: seconds(intervalMs) });
};

const trackStopped: (kind: 'video' | 'audio') => HealthRule = (kind) => (stream) => {
  const { health } = stream;
  if (!stream[kind] || !health || health.silentMs > trackSilenceMs / 2) return undefined;
  const silentMs = kind === 'video' ? health.videoSilentMs : health.audioSilentMs;
  return silentMs > trackSilenceMs ? finding('bad', `${kind}-stopped`, { seconds: seconds(silentMs) }) : undefined;
};

const lowFps: HealthRule = ({ video, fps, health, uptimeMs }) => {
  if (!video || !health || uptimeMs < settledMs || health.declaredFps === 0) return undefined;
  if (fps === 0 || fps >= health.declaredFps * fpsShare || health.videoSilentMs > trackSilenceMs) return undefined;
  return finding('warning', 'low-fps', { fps: fps.toFixed(0), declared: Number(health.declaredFps.toFixed(2)) });
};

const audioOffset: HealthRule = ({ video, audio, health, uptimeMs }) => {
  if (!video || !audio || !health || uptimeMs < settledMs) return undefined;
  if (Math.max(health.audioSilentMs, health.videoSilentMs) > trackSilenceMs) return undefined;
  if (Math.abs(health.audioOffsetMs) <= offsetMs) return undefined;
  const direction = health.audioOffsetMs > 0 ? 'ahead' : 'behind';
  return finding('warning', 'audio-offset', { seconds: seconds(Math.abs(health.audioOffsetMs)), direction });
};

const emptyAudio: HealthRule = ({ audio, health, uptimeMs }) => {
  if (!audio || !health || uptimeMs < settledMs || health.audioSilentMs > trackSilenceMs) return undefined;
  if (health.audioKbps >= emptyAudioKbps) return undefined;
  return finding('info', 'empty-audio', { kbps: health.audioKbps });
};

const rtcViewers = ({ viewersByProtocol }: LiveStream) => viewersByProtocol.rtc ?? 0;

const bFrames: HealthRule = (stream) => {
  const count = rtcViewers(stream);
  return stream.health?.hasBFrames && count > 0 && stream.video
    ? finding('warning', 'b-frames-webrtc', { count })
    : undefined;
};

const codecForWebrtc: HealthRule = (stream) => {
  const count = rtcViewers(stream);
  const codec = codecName(stream.video?.codec ?? 'H264');
  return count > 0 && codec !== 'H.264' ? finding('warning', 'codec-webrtc', { count, codec }) : undefined;
};

const codecOfVideo: HealthRule = (stream) => {
  const codec = codecName(stream.video?.codec ?? 'H264');
  return codec === 'H.264' || codecForWebrtc(stream) ? undefined : finding('info', 'codec-video', { codec });
};

/** Audio codecs that every output supports directly or after conversion. */
const carriedAudio = /^(HE-AAC|AAC|AAC-LC|MP3|Opus)$/;

const codecOfAudio: HealthRule = ({ audio, publisherDetail }) => {
  if (publisherDetail?.unsupportedAudio) return undefined;
  const codec = codecName(audio?.codec ?? 'AAC');
  return carriedAudio.test(codec) ? undefined : finding('warning', 'codec-audio', { codec });
};

/** Codecs that the media server does not support, by the reported codec name. */
const unsupported: (kind: 'video' | 'audio') => HealthRule = (kind) => (stream) => {
  const codec = stream.publisherDetail?.[kind === 'video' ? 'unsupportedVideo' : 'unsupportedAudio'];
  if (typeof codec !== 'string' || codec === '') return undefined;
  return finding(kind === 'video' ? 'bad' : 'warning', `unsupported-${kind}`, { codec: codecName(codec) });
};

/** The server ignores additional tracks, because a stream has one video and one audio track. */
const extraTracks: HealthRule = ({ publisherDetail }) => {
  const video = Number(publisherDetail?.extraVideoTracks ?? 0);
  const audio = Number(publisherDetail?.extraAudioTracks ?? 0);
  if (!(video + audio > 0)) return undefined;
  return finding('info', 'extra-tracks', { count: video + audio, video, audio });
};

const highBitrate: HealthRule = ({ video, fps, bitrateHistoryKbps, bitrateKbps, uptimeMs }) => {
  if (!video || uptimeMs < settledMs) return undefined;
  const history = bitrateHistoryKbps.length > 0 ? bitrateHistoryKbps : [bitrateKbps];
  const kbps = history.reduce((sum, value) => sum + value, 0) / history.length;
  const usefulKbps = (video.width * video.height * (fps || usualFps) * bitsPerPixel) / 1000;
  if (video.width === 0 || kbps <= Math.max(modestKbps, usefulKbps)) return undefined;
  return finding('info', 'high-bitrate', {
    mbps: (kbps / 1000).toFixed(1),
    size: `${video.width}×${video.height}`,
    wantedMbps: Math.ceil(Math.max(modestKbps, usefulKbps) / 2 / 1000),
  });
};

const slowViewers: HealthRule = ({ slowViewers: count = 0 }) =>
  count > 0 ? finding('warning', 'slow-viewers', { count }) : undefined;

const noVideo: HealthRule = ({ hasMedia, video }) => (hasMedia && !video ? finding('info', 'no-video') : undefined);
const noAudio: HealthRule = ({ hasMedia, audio }) => (hasMedia && !audio ? finding('info', 'no-audio') : undefined);

export const mediaRules: readonly HealthRule[] = [
  unsupported('video'),
  unsupported('audio'),
  noKeyframe,
  trackStopped('video'),
  trackStopped('audio'),
  keyframeInterval,
  lowFps,
  audioOffset,
  bFrames,
  codecForWebrtc,
  slowViewers,
  codecOfAudio,
  emptyAudio,
  extraTracks,
  codecOfVideo,
  highBitrate,
  noVideo,
  noAudio,
];
