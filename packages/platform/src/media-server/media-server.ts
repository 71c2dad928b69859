// What the rooms ask of a media server. The embedded engine and a real SRS both answer it; what only the embedded
// one knows is optional.
import { AppError, type Refusal, type StreamHealth } from '@srs-stack/contract';
import type { LoopRow, ViewerResults, ViewerRow } from '@srs-stack/contract/wire/srs-rows.ts';

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

/** Measurements of the embedded engine; a real SRS has none of them. */
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
  /** Of its HLS segments, bits per second (0 before the first), and their codecs (RFC 6381); absent while HLS is off. */
  readonly hls?: { readonly peakBps: number; readonly averageBps: number; readonly codecs: string };
  /** Figures of the publisher's connection. */
  readonly publisherDetail?: Readonly<Record<string, number | string>>;
}

export interface MediaServerStream {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly isPublished: boolean;
  /** '' while nobody publishes. */
  readonly publisherClientId: string;
  /** Publisher and players. */
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
  readonly pageUrl: string;
  readonly aliveMs: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** Mean of 30 s. */
  readonly sentKbps: number;
  readonly receivedKbps: number;
  /** Of the embedded engine; empty and 0 elsewhere. */
  readonly userAgent: string;
  readonly queuedBytes: number;
  readonly droppedFrames: number;
  readonly detail?: Readonly<Record<string, number | string>>;
}

/** Figures of one server since its start. */
export interface MediaServerSummary {
  readonly pid: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Of one core. */
  readonly cpuCores: number;
  readonly memoryBytes: number;
  readonly connections: number;
  /** Errors of its own that it contained since it started; 0 where it does not count. */
  readonly faults: number;
  /** The newest of them, in English; '' when there is none. */
  readonly lastFault: string;
  /** Delay of its event loop and garbage collection; undefined for an SRS, and for several servers together. */
  readonly loop: LoopRow | undefined;
}

/** Figures of all servers together, and of each. */
export interface MediaServerSummaries {
  /** Sums; `pid` is 0 with several, `lastFault` that of the first that has one. */
  readonly all: MediaServerSummary;
  readonly servers: readonly NamedSummary[];
}

export interface NamedSummary {
  /** What the operator knows the server by: `gateway-0`, or `host:port` of an SRS. */
  readonly name: string;
  /** Undefined while it does not answer. */
  readonly summary: MediaServerSummary | undefined;
}

/** What the viewers of one server told since it began. */
export interface ServerViewers {
  readonly name: string;
  readonly pid: number;
  readonly rows: readonly ViewerRow[];
  readonly results: ViewerResults;
}

/** What is known of one server. */
export interface MediaServerIdentity {
  /** `host:port` of its HTTP API; '' while it is not known. */
  readonly api: string;
  readonly isUp: boolean;
  /** '' while it does not answer. */
  readonly version: string;
  readonly abilities: ('streams' | 'kick' | 'reload' | 'refusals' | 'measurements')[];
}

/** What is known of all: addresses and versions in one line, up when one is, abilities that all living ones have. */
export interface MediaServersIdentity extends MediaServerIdentity {
  readonly servers: (MediaServerIdentity & { readonly name: string })[];
}

/** Some of several servers read their configuration again, others could not. */
export class PartlyReloaded extends AppError {}

/** One server or several as one. Every call throws AppError `mediaServerUnreachable` when no usable answer comes. */
export interface MediaServer {
  listStreams(): Promise<MediaServerStream[]>;
  listClients(): Promise<MediaServerClient[]>;
  /** The newest keyframe of a stream as an FLV file; undefined when there is none, or the server keeps none. */
  readKeyframe(streamId: string): Promise<Buffer | undefined>;
  /** Newest first; undefined on a server that keeps none. */
  listRefusals(): Promise<Refusal[] | undefined>;
  summarize(): Promise<MediaServerSummaries>;
  /** Of each server that answers and keeps figures of its viewers. */
  listViewers(): Promise<ServerViewers[]>;
  /** Ends the connection of a client; a client already gone is fine. */
  disconnect(clientId: string): Promise<void>;
  /** Who it is and what it can do; never throws. */
  identify(): Promise<MediaServersIdentity>;
  /** Has it read its configuration files again; resolves when they are in force. */
  reload(): Promise<void>;
}
