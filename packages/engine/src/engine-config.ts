// Settings of the engine, with units. The host creates them once; `reconfigure` changes a part.

export interface ListenAddress {
  /** Undefined binds all interfaces (dual stack where the system has it). */
  readonly host?: string;
  /** 0 binds any free port. */
  readonly port: number;
  /** Other processes bind it too: the kernel distributes connections between them. */
  readonly reusePort?: boolean;
}

export interface HlsConfig {
  readonly enabled: boolean;
  /** Absolute folder of playlists and segments. */
  readonly path: string;
  /** Minimum segment length, seconds; a segment ends at the next keyframe after it. SRS default 10, low latency 2. */
  readonly fragmentSeconds: number;
  /** Playlist length, seconds. */
  readonly windowSeconds: number;
  /** Maximum segment length without a keyframe (audio only), as a multiple of `fragmentSeconds`. */
  readonly aofRatio: number;
  /** Files are removed this long after the stream ended, seconds. */
  readonly disposeSeconds: number;
  /** Low-latency playlists in fragmented MP4 (`{stream}.ll.m3u8`) beside those in MPEG-TS. */
  readonly lowLatency: boolean;
  /** Session contexts: a master playlist per viewer (`hls_ctx`), so that viewers are counted. */
  readonly sessionContexts: boolean;
}

/** Storage of rewind windows; `Engine.configureRewind` sets their length. */
export interface RewindConfig {
  /** Absolute folder. If it is on the same file system as the HLS path, segments are hard-linked; otherwise they are copied. */
  readonly folder: string;
  /** Whether this engine maintains the windows of unpublished streams: true for exactly one of the engines that share the folder. */
  readonly keepsOrphans: boolean;
  /** Number of engines that share the folder and its maximum size. */
  readonly gateways: number;
}

export interface SrtConfig extends ListenAddress {
  /** Minimum TSBPD delay of both sides, milliseconds; the peer may request more. SRS's default here is 20. */
  readonly latencyMs: number;
  /** 10 to 79 characters; callers must encrypt with it. Undefined: unencrypted only. */
  readonly passphrase?: string;
}

export interface RtspConfig extends ListenAddress {
  /** RTSP over TLS; undefined: none. `Engine.setCertificate` sets its certificate. */
  readonly tls?: ListenAddress;
  /** UDP port of RTP; RTCP uses the next one. Undefined: media over TCP only. */
  readonly udp?: ListenAddress;
}

export interface RtcConfig extends ListenAddress {
  /** One port per peer from this range instead of a shared port: for networks whose NAT reuses ports quickly. */
  readonly portRange?: { readonly first: number; readonly last: number };
  /** Omitted: the built-in transport where the machine supports it, else the library `node-datachannel`. */
  readonly transport?: 'node-datachannel';
  /** TCP port for peers that cannot send UDP; needs the built-in transport. Undefined: none. */
  readonly tcp?: ListenAddress;
  /**
   * Addresses at which peers reach this server, in addition to the addresses in the request. Empty: the addresses of the network
   * interfaces.
   */
  readonly candidates: readonly string[];
}

export interface EngineConfig {
  readonly rtmp: ListenAddress;
  /** RTMP over TLS; undefined: none. `Engine.setCertificate` sets its certificate. */
  readonly rtmps?: ListenAddress;
  /** Undefined: no SRT. */
  readonly srt?: SrtConfig;
  /** Undefined: no RTSP. */
  readonly rtsp?: RtspConfig;
  /** Undefined: no WebRTC. */
  readonly rtc?: RtcConfig;
  readonly hls: HlsConfig;
  /** Undefined: live streams cannot be rewound. */
  readonly rewind?: RewindConfig;
  /**
   * Target interval of writes to an HTTP-FLV or RTMP viewer of a stream with many viewers, milliseconds; shorter for few viewers, longer
   * for very many. Video frames rarely wait, audio up to 1.5 times as long. 0 sends immediately.
   */
  readonly mergeWindowMs: number;
  /** Limits of the GOP cache of one stream. */
  readonly gopCache: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** Limits of the data queued for one slow viewer before frames are dropped to the next keyframe. */
  readonly viewerQueue: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** A second publisher may take over a stream when the first was silent for this time, milliseconds. */
  readonly takeoverSilenceMs: number;
  /** Time limit for the first media packet after a publisher was accepted, milliseconds (SRS: 20000). */
  readonly firstPacketTimeoutMs: number;
  /** A publisher that is silent for this time is ended, milliseconds. */
  readonly publisherTimeoutMs: number;
  /**
   * Maximum number of publishers and viewers of all protocols together; further viewers are refused. Also the maximum number of RTMP
   * connections, and of RTSP connections.
   */
  readonly maxConnections: number;
}
