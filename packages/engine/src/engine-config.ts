// Settings of the engine. The host creates them once; `reconfigure` changes the HLS settings.

export interface ListenAddress {
  /** Undefined: all interfaces, dual stack if available. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** Other processes bind this port too; the kernel distributes connections and datagrams. */
  readonly reusePort?: boolean;
}

export interface HlsConfig {
  readonly enabled: boolean;
  readonly path: string;
  /** Minimum length of a segment after the first, seconds; the segment ends at the next keyframe. SRS's default is 10. */
  readonly fragmentSeconds: number;
  readonly windowSeconds: number;
  /** Maximum length of a segment without keyframes (audio only), as a multiple of `fragmentSeconds`. */
  readonly aofRatio: number;
  /** Time from the end of a stream to the removal of its files, seconds. */
  readonly disposeSeconds: number;
  /** Whether there are low-latency playlists in fragmented MP4 too (`{stream}.ll.m3u8`). */
  readonly lowLatency: boolean;
  /** Whether each viewer gets a master playlist with a session id (`hls_ctx`), by which viewers are counted. */
  readonly sessionContexts: boolean;
}

/** Storage of rewind windows. `Engine.configureRewind` sets the length of the windows. */
export interface RewindConfig {
  /** Absolute path. Segments are hard-linked if this folder is on the file system of the HLS path, and copied if not. */
  readonly folder: string;
  /** Whether this engine maintains the windows of unpublished streams: true for exactly one engine per folder. */
  readonly keepsOrphans: boolean;
  /** Number of engines that share the folder and the maximum size. */
  readonly gateways: number;
}

export interface SrtConfig extends ListenAddress {
  /** Minimum TSBPD delay of both sides, milliseconds; the peer may request more. SRS's default is 20. */
  readonly latencyMs: number;
  /** Passphrase that callers must encrypt with, 10 to 79 characters. Undefined: no encryption. */
  readonly passphrase?: string;
}

export interface RtspConfig extends ListenAddress {
  /** RTSP over TLS; undefined: off. `Engine.setCertificate` sets the certificate. */
  readonly tls?: ListenAddress;
  /** UDP port of RTP; RTCP uses the next port. Undefined: media over TCP only. */
  readonly udp?: ListenAddress;
}

export interface RtcConfig extends ListenAddress {
  /** Gives each peer a port of this range instead of a shared port, for networks whose NAT reuses ports quickly. */
  readonly portRange?: { readonly first: number; readonly last: number };
  /** Absent: the built-in transport, or `node-datachannel` with `portRange` and on machines that do not support the built-in transport. */
  readonly transport?: 'node-datachannel';
  /** TCP port for peers that cannot send UDP; needs the built-in transport. Undefined: off. */
  readonly tcp?: ListenAddress;
  /**
   * Addresses of this server that peers can reach, in addition to addresses in the request. Empty: the addresses of the network interfaces.
   */
  readonly candidates: readonly string[];
}

export interface EngineConfig {
  readonly rtmp: ListenAddress;
  /** RTMP over TLS; undefined: off. `Engine.setCertificate` sets the certificate. */
  readonly rtmps?: ListenAddress;
  readonly srt?: SrtConfig;
  readonly rtsp?: RtspConfig;
  readonly rtc?: RtcConfig;
  readonly hls: HlsConfig;
  readonly rewind?: RewindConfig;
  /**
   * Target interval of writes to a viewer over HTTP, RTMP or RTSP, or to an RTMP push target, milliseconds. Few viewers: shorter interval;
   * very many viewers: longer. Video frames rarely wait; audio waits up to 1.5 times as long. 0: no waiting.
   */
  readonly mergeWindowMs: number;
  readonly gopCache: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** Maximum data queued for a slow viewer. Above the limits, frames up to the newest or next keyframe are dropped. */
  readonly viewerQueue: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** Another publisher may replace a publisher that has been silent for this time, milliseconds. */
  readonly takeoverSilenceMs: number;
  /** Maximum time from the acceptance of a publisher to its first media packet, milliseconds (SRS: 20000). */
  readonly firstPacketTimeoutMs: number;
  /** A publisher that has been silent for this time is disconnected, milliseconds. */
  readonly publisherTimeoutMs: number;
  /**
   * Further viewers are refused when publishers and viewers of all protocols together reach this number. RTMP connections and RTSP
   * connections are each limited to this number too.
   */
  readonly maxConnections: number;
}
