// Data of one stream for watch pages: live or not, viewers, and available outputs. Pages poll this data often, so only the data of one
// stream is collected.

import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { isLoopback } from '@srs-stack/process/ip-address.ts';
import { obstacleToFormat } from '../egress/broadcast/broadcast-format.ts';
import { flvFormat } from '../egress/flv/flv-broadcast-format.ts';
import type { HlsOutput } from '../egress/hls/hls-output.ts';
import type { LowLatencyOutput } from '../egress/low-latency-hls/low-latency-output.ts';
import type { RewindOutput } from '../egress/rewind/rewind-output.ts';
import { obstacleToWhep } from '../egress/whep/whep-obstacle.ts';
import type { WatchFacts } from '../engine-snapshot.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { SessionInfo } from '../session-info.ts';

export interface WatchFactsSource {
  readonly hub: Pick<StreamHub, 'find' | 'isPublished' | 'publishedForMs' | 'players'>;
  readonly hls: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatencyHls: Pick<LowLatencyOutput, 'find' | 'isEnabled'>;
  readonly rewind: Pick<RewindOutput, 'heldMs'> | undefined;
  readonly hasWebrtc: boolean;
  readonly demand: { has(key: StreamKey): boolean };
}

/** `now`: monotonic milliseconds. */
export function watchFactsOf(source: WatchFactsSource, key: StreamKey, now: number): WatchFacts {
  const { hub, hls, lowLatencyHls, rewind, hasWebrtc, demand } = source;
  const isHere = hub.isPublished(key);
  const stream = isHere ? hub.find(key) : undefined;
  const rewindMs = rewind?.heldMs(key);
  const publishedForMs = hub.publishedForMs(key, now);
  const isUncarried = (output: { unsupportedMedia: string | undefined } | undefined): boolean =>
    output?.unsupportedMedia !== undefined;
  return {
    isHere,
    ...(demand.has(key) && { isOnDemand: true as const }),
    ...(publishedForMs !== undefined && { publishedForMs }),
    ...(rewindMs !== undefined && { rewindMs }),
    viewers: stream ? hub.players.countOf(stream, isViewer) : 0,
    outputs: {
      whep: hasWebrtc && obstacleToWhep(stream) === undefined,
      flv: obstacleToFormat(flvFormat, stream) === undefined,
      lowLatencyHls: lowLatencyHls.isEnabled && !isUncarried(lowLatencyHls.find(key)),
      hls: hls.config.enabled && !isUncarried(hls.find(key)),
    },
  };
}

/** RTMP readers on this machine are forwards, transcoders and recorders of this installation, which do not count as viewers. */
function isViewer({ type, ip }: SessionInfo): boolean {
  return !(/^(?:rtmp|flash|fmle)-/.test(type) && isLoopback(ip));
}
