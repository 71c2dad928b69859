// The interface of a media server for the other modules, implemented by the built-in engine and by a real SRS. Fields that only the
// built-in engine provides are optional.
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

/** Measurements of the built-in engine; a real SRS has none. */
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
  /** Name of the prepared slate, once the media server has read its file. */
  readonly slateFile?: string;
  /** Time since the slate started, milliseconds; absent while the source sends. */
  readonly slateForMs?: number;
  /** Time since the backup source took over, milliseconds; absent while viewers see the main source. */
  readonly backupForMs?: number;
  /** Connected spare encoders, the preferred one first. `isOnAir`: viewers see it. */
  readonly spares?: readonly { readonly priority: number; readonly isOnAir: boolean }[];
  /** Time since the last packet of the source, milliseconds; absent while it sends. */
  readonly silentForMs?: number;
  /** Bitrate of the HLS segments, bits per second (0 before the first), and their codecs (RFC 6381); absent while HLS is off. */
  readonly hls?: { readonly peakBps: number; readonly averageBps: number; readonly codecs: string };
  /** Metrics of the publisher's connection. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
}

export interface MediaServerStream {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly isPublished: boolean;
  /** Id of the publisher; '' without one. */
  readonly publisherClientId: string;
  /** Number of publishers and players. */
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
  /** Priority of a spare encoder, 2 or more. */
  readonly priority?: number;
  readonly pageUrl: string;
  readonly aliveMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Mean of 30 s. */
  readonly sentKbps: number;
  readonly receivedKbps: number;
  /** From the built-in engine; empty and 0 otherwise. */
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
  /** CPU usage as a share of one core. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly connections: number;
  /** Number of internal errors that ended at most one session, since the start; 0 if not counted. */
  readonly faults: number;
  /** The latest internal error, in English; '' without one. */
  readonly lastFault: string;
  /** Event loop delay and garbage collection; undefined for an SRS, and for several servers together. */
  readonly loop: LoopRow | undefined;
  /** Metrics of slates; undefined for an SRS, which has none. */
  readonly slates: SlateMetrics | undefined;
}

/** Metrics of all servers together, and of each. */
export interface MediaServerSummaries {
  /** Sums; with several servers `pid` is 0, and `lastFault` comes from the first server that has one. */
  readonly all: MediaServerSummary;
  readonly servers: readonly NamedSummary[];
}

export interface NamedSummary {
  /** Name for the operator: `gateway-0`, or `host:port` of an SRS. */
  readonly name: string;
  /** Metrics of the server; undefined while it does not respond. */
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
  /** `host:port` of the HTTP API; '' while unknown. */
  readonly api: string;
  readonly isUp: boolean;
  /** Version of the server; '' while it does not respond. */
  readonly version: string;
  readonly abilities: ('streams' | 'kick' | 'reload' | 'refusals' | 'measurements')[];
}

/**
 * All servers together: their addresses and versions in one line. `isUp` is true when one is up; `abilities` are those of all reachable
 * servers.
 */
export interface MediaServersIdentity extends MediaServerIdentity {
  readonly servers: (MediaServerIdentity & { readonly name: string })[];
}

/** Some servers reloaded their configuration and others failed. */
export class PartlyReloaded extends AppError {}

/** One media server, or several merged. Every call throws AppError `mediaServerUnreachable` if there is no valid response. */
export interface MediaServer {
  listStreams(): Promise<MediaServerStream[]>;
  listClients(): Promise<MediaServerClient[]>;
  /** The newest keyframe of a stream as an FLV file; undefined when there is none or the server does not store it. */
  readKeyframe(streamId: string): Promise<Buffer | undefined>;
  /** Newest first; undefined on a server without a list of refusals. */
  listRefusals(): Promise<Refusal[] | undefined>;
  summarize(): Promise<MediaServerSummaries>;
  /** Playback reports of each server that responds and collects them. */
  listViewers(): Promise<ServerViewers[]>;
  /** Disconnects a client; succeeds if the client has already disconnected. */
  disconnect(clientId: string): Promise<void>;
  /** Identity and features; never throws. */
  identify(): Promise<MediaServersIdentity>;
  /** Reloads the configuration files; resolves when they are in effect. */
  reload(): Promise<void>;
}
