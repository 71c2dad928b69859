// Everything that can be set about the engine, with units. The host builds it once; `reconfigure` changes a part.

export interface ListenAddress {
  /** Undefined binds all interfaces (dual stack where the system has it). */
  readonly host?: string;
  /** 0 binds any free port. */
  readonly port: number;
  /** Other processes bind it too: the kernel spreads connections over all that do. */
  readonly reusePort?: boolean;
}

export interface HlsConfig {
  readonly enabled: boolean;
  /** Absolute folder of playlists and segments. */
  readonly path: string;
  /** Shortest segment, seconds: it is cut at the next keyframe. SRS default 10, low latency 2. */
  readonly fragmentSeconds: number;
  /** Playlist length, seconds. */
  readonly windowSeconds: number;
  /** Longest segment as a multiple of the fragment before one is cut without a keyframe (audio only streams). */
  readonly aofRatio: number;
  /** Files are removed this long after the stream ended, seconds. */
  readonly disposeSeconds: number;
  /** Low-latency playlists in fragmented MP4 (`{stream}.ll.m3u8`) beside those in MPEG-TS. */
  readonly lowLatency: boolean;
  /** Session contexts: a master playlist per viewer (`hls_ctx`), so that viewers are counted. */
  readonly sessionContexts: boolean;
}

/** Where windows for rewinding are kept; how much of each is said by `Engine.configureRewind`. */
export interface RewindConfig {
  /** Absolute folder; on the file system of the HLS path no byte is written twice. */
  readonly folder: string;
  /** Looks after windows whose stream nobody publishes: one engine of those that share the folder. */
  readonly keepsOrphans: boolean;
  /** Engines that share the folder, and the most it may have. */
  readonly gateways: number;
}

export interface SrtConfig extends ListenAddress {
  /** Shortest TSBPD delay asked of both sides, milliseconds; the peer may ask for more. SRS's default here is 20. */
  readonly latencyMs: number;
  /** 10 to 79 characters; callers must encrypt with it. Undefined: unencrypted only. */
  readonly passphrase?: string;
}

export interface RtcConfig extends ListenAddress {
  /** One port per peer from this range instead of one shared port: for networks whose NAT reuses ports quickly. */
  readonly portRange?: { readonly first: number; readonly last: number };
  /** Absent: our own port where the machine can have it, the library `node-datachannel` else or when it is named. */
  readonly transport?: 'node-datachannel';
  /** Where peers connect who cannot send UDP; our own port alone has it. Undefined: nowhere. */
  readonly tcp?: ListenAddress;
  /** Addresses peers reach this server at, besides what the request names. Empty: those of the network interfaces. */
  readonly candidates: readonly string[];
}

export interface EngineConfig {
  readonly rtmp: ListenAddress;
  /** RTMP over TLS; undefined: none. Its certificate comes by `Engine.setCertificate`. */
  readonly rtmps?: ListenAddress;
  /** Undefined: no SRT. */
  readonly srt?: SrtConfig;
  /** Undefined: no WebRTC. */
  readonly rtc?: RtcConfig;
  readonly hls: HlsConfig;
  /** Undefined: live streams cannot be rewound. */
  readonly rewind?: RewindConfig;
  /**
   * Aimed distance of two writes to an HTTP-FLV or RTMP viewer of a stream many watch, milliseconds; few viewers get less,
   * very many more. A video frame rarely waits, sound up to 1.5 times as long. 0 sends at once.
   */
  readonly mergeWindowMs: number;
  /** Bounds of the GOP cache of one stream. */
  readonly gopCache: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** Bounds of what may wait for one slow viewer before frames are dropped to the next keyframe. */
  readonly viewerQueue: { readonly maxBytes: number; readonly maxDurationMs: number };
  /** A second publisher may take a stream over when the first has been silent this long, milliseconds. */
  readonly takeoverSilenceMs: number;
  /** First media packet must arrive this long after the publish was accepted, milliseconds (SRS: 20000). */
  readonly firstPacketTimeoutMs: number;
  /** A publisher silent this long is ended, milliseconds. */
  readonly publisherTimeoutMs: number;
  /** Publishers and viewers of all protocols together, beyond which no viewer is let in; RTMP has as many sockets at most. */
  readonly maxConnections: number;
}
