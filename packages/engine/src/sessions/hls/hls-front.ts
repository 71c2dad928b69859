// Dispatches HLS requests: authorizes them, forwards them to the gateway of the stream, or passes them to `playlist-front.ts` or
// `file-front.ts`. Removes idle sessions.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import type { LowLatencyOutput } from '../../egress/low-latency-hls/low-latency-output.ts';
import type { EnginePorts } from '../../ports.ts';
import { RestingTicker } from '../../util/resting-ticker.ts';
import { type DemandSource, demandWaitMs } from '../gate/demand-source.ts';
import type { PlayGate } from '../gate/play-gate.ts';
import { sendFailure, toFailure, uncached, writeOpenHead } from '../http/http-responses.ts';
import { type MediaPath, parseMediaPath } from '../http/media-path.ts';
import { toPlaySession, type WithClientAddress } from '../http/play-session.ts';
import { FileFront } from './file-front.ts';
import { HeldRequests } from './held-requests.ts';
import { queryOfViewer } from './hls-context.ts';
import { type AuthorizedExchange, addressOf, type Exchange } from './hls-exchange.ts';
import { sendPlaylistHead } from './hls-responses.ts';
import { HlsSessions } from './hls-sessions.ts';
import { type HlsTarget, isPlaylist, toHlsTarget } from './hls-target.ts';
import { LowLatencyFront } from './low-latency-front.ts';
import { PlaylistFront } from './playlist-front.ts';
import type { RewindFront } from './rewind-front.ts';

export interface HlsFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatency: Pick<LowLatencyOutput, 'isEnabled' | 'watch' | 'find'>;
  readonly rewind?: RewindFront | undefined;
  readonly gate: PlayGate;
  readonly demand?: DemandSource;
  readonly ports: Pick<EnginePorts, 'log' | 'isValidStream' | 'renditionOf' | 'origins' | 'reviewPlay'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Replaced in tests. */
  readonly held?: HeldRequests;
}

const sweepIntervalMs = 1_000;
/** A session ends after this number of playlist windows without a request, as in SRS. */
const idleWindows = 2;
/** A player requests its playlist again within this number of segments. */
const segmentsBetweenRequests = 3;

export class HlsFront {
  readonly #options: HlsFrontOptions;
  readonly #sessions: HlsSessions;
  readonly #ticker: RestingTicker;
  readonly #playlists: PlaylistFront;
  readonly #held: HeldRequests;
  readonly #files: FileFront;

  constructor(options: HlsFrontOptions) {
    this.#options = options;
    const { output, lowLatency, rewind, gate, clock, ports, held = new HeldRequests() } = options;
    const parts = new LowLatencyFront(held);
    this.#held = held;
    this.#ticker = new RestingTicker({ everyMs: sweepIntervalMs, tick: () => this.#sweep() });
    const onWork = (): void => this.#ticker.wake();
    const sessions = new HlsSessions({ gate, clock, renditionOf: ports.renditionOf, onWork });
    this.#sessions = sessions;
    this.#playlists = new PlaylistFront({ output, lowLatency, rewind, gate, sessions, held, parts });
    const { origins, log } = ports;
    this.#files = new FileFront({ output, lowLatency, rewind, origins, sessions, parts, log });
    gate.addHolder(sessions);
  }

  /** Serves playlists, segments, parts and seek bar data. Returns false, without touching the response, for other paths. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    const path = parseMediaPath(request.url ?? '');
    return path !== undefined && this.#handle(path, request, response);
  }

  countSent(key: StreamKey, context: string, bytes: number): void {
    const session = this.#sessions.find(key, context);
    if (!session?.isAdmitted || session.isKicked) return;
    this.#sessions.touch(session, this.#options.output.find(key)?.targetDurationMs ?? 0, true);
    session.player?.countSent(bytes);
  }

  close(): void {
    this.#ticker.close();
    this.#sessions.close();
  }

  #sweep(): boolean {
    this.#sessions.sweep(this.#options.clock(), idleWindows * this.#windowMs);
    return this.#sessions.size > 0;
  }

  get #windowMs(): number {
    return this.#options.output.config.windowSeconds * 1000;
  }

  /** Returns false if the path is no playlist or file of HLS. */
  #handle(path: MediaPath, request: IncomingMessage & WithClientAddress, response: ServerResponse): boolean {
    const target = this.#toTarget(path);
    if (target === undefined) return false;
    const { key } = target;
    if (request.method === 'OPTIONS') writeOpenHead(response, 200, uncached).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') sendFailure(response, methodNotAllowed);
    else if (!this.#options.ports.isValidStream(key)) this.#refuseName(key, request, response);
    else this.#run(response, () => this.#reviewed(target, { request, response }));
    return true;
  }

  /** The name of a stream may look like a low-latency playlist or a rewind playlist. An existing stream takes precedence. */
  #toTarget(path: MediaPath): HlsTarget | undefined {
    const target = toHlsTarget(path);
    const { output, lowLatency, ports, rewind } = this.#options;
    if (target?.kind === 'low-latency-file') return lowLatency.isEnabled ? target : undefined;
    const isNamedSo = target?.kind === 'low-latency-playlist' || target?.kind === 'rewind-playlist';
    if (!isNamedSo) return target?.kind.startsWith('rewind-') && !rewind ? undefined : target;
    const isName = output.find(path) !== undefined || ports.origins?.publishedSince(path) !== undefined;
    const isOffered = target.kind === 'rewind-playlist' ? rewind !== undefined : lowLatency.isEnabled;
    return isName || !isOffered ? { kind: 'playlist', key: path } : target;
  }

  /** Serves authorized viewers. The authorization is valid for this request only. */
  async #reviewed(target: HlsTarget, exchange: Exchange): Promise<void> {
    const { gate, ports } = this.#options;
    const { key } = target;
    const isSegment = !isPlaylist(target) && target.kind !== 'rewind-storyboard';
    const info = toPlaySession('hls-play', { ...key, query: queryOfViewer(key.query) }, exchange.request);
    const verdict = await ports.reviewPlay?.({ ...info, isSegment });
    if (!verdict || verdict.allowed) return this.#serve(target, { ...exchange, carry: verdict?.carry ?? '' });
    // Refused segments are not listed: players request many segments per playlist, and the refused playlist is listed.
    const { reason, detail } = verdict;
    const refusal = isSegment
      ? ({ ok: false, rule: 'host', reason, detail } as const)
      : gate.refuse(info, 'host', verdict);
    if (!exchange.response.destroyed) sendFailure(exchange.response, toFailure(refusal));
  }

  async #serve(target: HlsTarget, authorized: AuthorizedExchange): Promise<void> {
    const isLivePlaylist = isPlaylist(target) && target.kind !== 'rewind-playlist';
    const isProbe = authorized.request.method === 'HEAD';
    if (isLivePlaylist && !isProbe) await this.#demand(target.key, authorized);
    // Forwards only authorized requests, because a cached response of another gateway may be sent without a further check.
    if (this.#isElsewhere(target, authorized.request, authorized.response)) return;
    if (isLivePlaylist && isProbe && this.#isIdle(target.key)) return sendPlaylistHead(authorized.response);
    await (isPlaylist(target) ? this.#playlists.serve(target, authorized) : this.#files.serve(target, authorized));
  }

  /**
   * Requests an on-demand stream and waits for its start. Every playlist request keeps the pull running, because viewers without a session
   * are not counted as players.
   */
  async #demand(key: StreamKey, { request, response }: AuthorizedExchange): Promise<void> {
    const { demand, output } = this.#options;
    if (!demand?.has(key)) return;
    demand.request(key, segmentsBetweenRequests * (output.find(key)?.targetDurationMs ?? 0));
    await this.#held.hold(response, {
      ip: addressOf(request),
      timeoutMs: demandWaitMs,
      isMet: () => !demand.isStarting(key),
      onChange: (callback) => demand.onSettled(key, callback),
    });
  }

  #isIdle(key: StreamKey): boolean {
    const { demand, output } = this.#options;
    return demand?.has(key) === true && output.find(key)?.isPublished !== true;
  }

  /**
   * Forwards a request to the gateway of the stream, which creates playlists, counts viewers and keeps parts. Segments are in a folder
   * shared by all gateways of a machine. Returns true if the request was forwarded.
   */
  #isElsewhere({ kind, key }: HlsTarget, request: IncomingMessage, response: ServerResponse): boolean {
    const { origins } = this.#options.ports;
    const own = this.#options.output.find(key);
    const isShared = kind === 'segment' || kind === 'rewind-segment';
    if (!origins || own?.isPublished || (isShared && !origins.isRemote(key))) return false;
    // A stream whose local publisher has disconnected is served here, unless its publisher reconnected at another gateway.
    if (own && origins.publishedSince(key) === undefined) return false;
    return origins.forward(key, request, response);
  }

  #run(response: ServerResponse, serve: () => Promise<void>): void {
    serve().catch((error: unknown) => {
      this.#options.ports.log.error({ err: error }, 'HLS request failed');
      response.destroy();
    });
  }

  #refuseName(path: MediaPath, request: IncomingMessage, response: ServerResponse): void {
    sendFailure(response, toFailure(this.#options.gate.refuseName(toPlaySession('hls-play', path, request))));
  }
}

const methodNotAllowed = {
  status: 405,
  name: 'method-not-allowed',
  message: 'method not allowed: use GET, HEAD or OPTIONS',
} as const;
