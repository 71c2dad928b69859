// Labels for the tracks, protocols and viewers of a stream. Pure.
import type { LiveStream } from '@srs-stack/contract';
import { audioCodecName, codecName } from '../../players/codec-name.ts';
import { formatFps, formatSampleRate } from './format.ts';

/** Labels such as `H.264 High`, `1280×720` and `30 fps`. */
export function videoParts({ video, fps }: Pick<LiveStream, 'video' | 'fps'>): string[] {
  if (video === null) return [];
  const size = video.width > 0 ? `${video.width}×${video.height}` : '';
  return present([codecName(video.codec), video.profile, size, fps > 0 ? `${formatFps(fps)} fps` : '']);
}

/** Labels such as `AAC-LC`, `44.1 kHz` and `2 ch`. */
export function audioParts({ audio }: Pick<LiveStream, 'audio'>): string[] {
  if (audio === null) return [];
  const rate = audio.sampleRate > 0 ? formatSampleRate(audio.sampleRate) : '';
  return present([audioCodecName(audio), rate, audio.channels > 0 ? `${audio.channels} ch` : '']);
}

const protocolNames: Readonly<Record<string, string>> = { rtc: 'WebRTC', flv: 'HTTP-FLV', ts: 'HTTP-TS' };

/** Display name of a protocol. */
export function protocolName(protocol: string): string {
  return protocolNames[protocol] ?? protocol.toUpperCase();
}

/** Text such as `2.0 s`; undefined until measured. */
export function keyframeText({ keyframeIntervalMs }: Pick<LiveStream, 'keyframeIntervalMs'>): string | undefined {
  return keyframeIntervalMs > 0 ? `${(keyframeIntervalMs / 1000).toFixed(1)} s` : undefined;
}

/** Viewer counts by output protocol, largest first, e.g. `HTTP-FLV 1,200`. */
export function viewerParts({ viewersByProtocol }: Pick<LiveStream, 'viewersByProtocol'>, language: string): string[] {
  return Object.entries(viewersByProtocol)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([protocol, count]) => `${protocolName(protocol)} ${count.toLocaleString(language)}`);
}

function present(values: readonly string[]): string[] {
  return values.filter((value) => value !== '');
}
