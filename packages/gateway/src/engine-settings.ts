// Settings of the engine: from the environment, and fixed values with their reasons.
import { join } from 'node:path';
import type { EngineConfig, HlsConfig } from '@srs-stack/engine';
import { rewindFolderName } from '@srs-stack/playback/rewind/rewind-names.ts';
import type { GatewayEnv } from './env.ts';

/** Maximum number of publishers and viewers of one gateway, over all protocols: more than a single core can serve. */
const maxConnections = 20_000;

export function toEngineConfig(env: GatewayEnv, hls: HlsConfig): EngineConfig {
  return {
    rtmp: env.rtmpListen,
    ...(env.rtmpsListen && { rtmps: env.rtmpsListen }),
    ...(env.rtspListen && {
      rtsp: {
        ...env.rtspListen,
        ...(env.rtspsListen && { tls: env.rtspsListen }),
        ...(env.rtspUdpListen && { udp: env.rtspUdpListen }),
      },
    }),
    ...(env.srtListen && {
      srt: {
        ...env.srtListen,
        latencyMs: env.srtLatencyMs,
        ...(env.srtPassphrase && { passphrase: env.srtPassphrase }),
      },
    }),
    ...(env.rtcListen && {
      rtc: {
        ...env.rtcListen,
        candidates: env.webrtcAddresses.candidates,
        ...(env.rtcTcpListen && { tcp: env.rtcTcpListen }),
        ...(env.rtcPortRange && { portRange: env.rtcPortRange }),
        ...(env.rtcTransport && { transport: env.rtcTransport }),
      },
    }),
    hls,
    rewind: {
      folder: join(env.dataDir, rewindFolderName),
      keepsOrphans: env.gateways.index === 0,
      gateways: env.gateways.count,
    },
    mergeWindowMs: env.mergeWindowMs,
    // 60 s is the longest keyframe interval that encoders offer. 16 MB holds a GOP of 60 s at 2 Mbps, or of ten seconds at 12 Mbps.
    gopCache: { maxBytes: 16 * 1024 * 1024, maxDurationMs: 60_000 },
    // A phone that changes cells is offline for some seconds. After a longer interruption, a jump to the live edge is better than a long
    // delay.
    viewerQueue: { maxBytes: 8 * 1024 * 1024, maxDurationMs: 8_000 },
    takeoverSilenceMs: 3_000,
    firstPacketTimeoutMs: 20_000,
    // An encoder that stalls for less than 15 s keeps its stream, unless another publisher takes over. A takeover is possible after three
    // seconds of silence.
    publisherTimeoutMs: 15_000,
    maxConnections,
  };
}
