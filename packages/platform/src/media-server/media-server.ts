// Interface of a media server: the built-in engine or a real SRS. Fields that only the built-in engine provides are optional, or empty for
// an SRS.
import { AppError, type Refusal, type StreamHealth } from '@srs-stack/contract';
import type { LoopRow, SlateMetrics, ViewerResults, ViewerRow } from '@srs-stack/contract/wire/srs-rows.ts';

interface MediaServerVideo {
  readonly codec: string;
  readonly profile: string;
  readonly level: string;
  readonly width: number;
  readonly height: number;
}

interface MediaServerAudio {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly profile: string;
}

/** Only from the built-in engine. */
interface StreamDetails {
  readonly protocol: string;
  readonly ip: string;
  readonly hasMedia: boolean;
  readonly fps: number;
  readonly keyframeIntervalMs: number;
  readonly bitrateHistoryKbps: readonly number[];
  readonly publishedForMs: number;
  readonly viewersByProtocol?: Readonly<Record<string, number>>;
  readonly slowViewers?: number;
  readonly health?: StreamHealth;
  /** Name of the slate file; absent until the media server has loaded the file. */
  readonly slateFile?: string;
  /** Time since the slate started, milliseconds; absent while the source sends. */
  readonly slateForMs?: number;
  /** Time since the backup source took over, milliseconds; absent while viewers get the main source. */
  readonly backupForMs?: number;
  /** Connected spare encoders, preferred encoder first. `isOnAir`: viewers see this encoder. */
  readonly spares?: readonly { readonly priority: number; readonly isOnAir: boolean }[];
  /** Time since the last packet of the source, milliseconds; absent while the source sends. */
  readonly silentForMs?: number;
  /** Bitrates of the HLS segments in bits per second (0 before the first segment), and codecs (RFC 6381). Absent while HLS is off. */
  readonly hls?: { readonly peakBps: number; readonly averageBps: number; readonly codecs: string };
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
}

export interface MediaServerStream {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly isPublished: boolean;
  readonly publisherClientId: string;
  readonly clients: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Mean of 30 s. */
  readonly receivedKbps: number;
  readonly video: MediaServerVideo | null;
  readonly audio: MediaServerAudio | null;
  readonly details: StreamDetails | undefined;
}

export interface MediaServerClient {
  readonly id: string;
  readonly streamId: string;
  readonly ip: string;
  /** `rtmp-play`, `fmle-publish`, ... */
  readonly type: string;
  readonly isPublisher: boolean;
  readonly priority?: number;
  readonly pageUrl: string;
  readonly aliveMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Mean of 30 s. */
  readonly sentKbps: number;
  readonly receivedKbps: number;
  /** Only from the built-in engine; an SRS gives '' and 0. */
  readonly userAgent: string;
  readonly queuedBytes: number;
  readonly droppedFrames: number;
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** Metrics of one server since its start. */
export interface MediaServerSummary {
  readonly pid: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** 1 is one full core. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly connections: number;
  /** Number of internal errors since the start, each of which ended at most one session; 0 if not counted. */
  readonly faults: number;
  /** The latest internal error, in English; '' for none. */
  readonly lastFault: string;
  /** Event loop delay and garbage collection; undefined for an SRS and for a sum of servers. */
  readonly loop: LoopRow | undefined;
  /** Undefined for an SRS, which has no slates. */
  readonly slates: SlateMetrics | undefined;
}

/** Metrics of all servers together, and of each server. */
export interface MediaServerSummaries {
  /** Sum of all servers. With several servers, `pid` is 0, and `lastFault` is from the first server that has one. */
  readonly all: MediaServerSummary;
  readonly servers: readonly NamedSummary[];
}

export interface NamedSummary {
  readonly name: string;
  /** Undefined while the server does not respond. */
  readonly summary: MediaServerSummary | undefined;
}

/** Playback reports of one server since its start. */
export interface ServerViewers {
  readonly name: string;
  readonly pid: number;
  readonly rows: readonly ViewerRow[];
  readonly results: ViewerResults;
}

/** Identity of one server. */
export interface MediaServerIdentity {
  readonly api: string;
  readonly isUp: boolean;
  /** Version of the server; '' while it does not respond. */
  readonly version: string;
  readonly abilities: ('streams' | 'kick' | 'reload' | 'refusals' | 'measurements')[];
}

/**
 * All servers as one: addresses and versions in one line. `isUp` is true if at least one server is up. `abilities` are the features that
 * all reachable servers have.
 */
export interface MediaServersIdentity extends MediaServerIdentity {
  readonly servers: (MediaServerIdentity & { readonly name: string })[];
}

/** Thrown when only some of the servers reloaded their configuration. */
export class PartlyReloaded extends AppError {}

/** One media server, or several merged. All calls except `identify` throw `mediaServerUnreachable` if no valid response arrives. */
export interface MediaServer {
  listStreams(): Promise<MediaServerStream[]>;
  listClients(): Promise<MediaServerClient[]>;
  /** Newest keyframe of a stream as FLV file; undefined if the server has none. */
  readKeyframe(streamId: string): Promise<Buffer | undefined>;
  /** Newest first; undefined for a server without refusals list. */
  listRefusals(): Promise<Refusal[] | undefined>;
  summarize(): Promise<MediaServerSummaries>;
  /** Playback reports of each server that responds and supports reports. */
  listViewers(): Promise<ServerViewers[]>;
  /** Disconnects a client. Succeeds if the client is already disconnected. */
  disconnect(clientId: string): Promise<void>;
  /** Identity and features; never throws. */
  identify(): Promise<MediaServersIdentity>;
  /** Reloads the configuration files. Resolves when the new configuration is in effect. */
  reload(): Promise<void>;
}
