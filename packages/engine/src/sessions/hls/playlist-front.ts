// Serves playlists, with session contexts as in SRS. Waits for a first segment. The caller has authorized the request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import type { HlsStream } from '../../egress/hls/hls-stream.ts';
import type { LowLatencyOutput } from '../../egress/low-latency-hls/low-latency-output.ts';
import type { LowLatencyStream } from '../../egress/low-latency-hls/low-latency-stream.ts';
import { notPublished, type PlayGate } from '../gate/play-gate.ts';
import { sendFailure, toFailure } from '../http/http-responses.ts';
import type { MediaPath } from '../http/media-path.ts';
import { toPlaySession, type WithClientAddress } from '../http/play-session.ts';
import type { HeldRequests } from './held-requests.ts';
import { contextOf, isOfVariant, mediaQuery, toMediaUrl } from './hls-context.ts';
import {
  type AuthorizedExchange,
  addressOf,
  cachedBy,
  type SessionExchange,
  sessionEnded,
  toViewer,
} from './hls-exchange.ts';
import { sendNotReady, sendPlaylist, sendUnsupportedCodec } from './hls-responses.ts';
import type { HlsSessions } from './hls-sessions.ts';
import type { PlaylistTarget } from './hls-target.ts';
import type { LowLatencyFront } from './low-latency-front.ts';
import { noWindow, type RewindFront, type RewindView } from './rewind-front.ts';

export interface PlaylistFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatency: Pick<LowLatencyOutput, 'watch'>;
  readonly rewind?: RewindFront | undefined;
  readonly gate: Pick<PlayGate, 'refuse'>;
  readonly sessions: HlsSessions;
  readonly held: HeldRequests;
  readonly parts: LowLatencyFront;
}

/** Maximum wait for the first segment, milliseconds: less than the timeout of all players. */
const firstSegmentHoldMs = 8_000;
/** Playlists with windows up to this length may be cached for a second only, milliseconds: this is the low-latency setting. */
const lowLatencyWindowMs = 16_000;

/** A stream with a playlist: MPEG-TS, low-latency, or a rewind window. */
type ServedStream = HlsStream | LowLatencyStream | RewindView;

export class PlaylistFront {
  readonly #options: PlaylistFrontOptions;

  constructor(options: PlaylistFrontOptions) {
    this.#options = options;
  }

  async serve(target: PlaylistTarget, exchange: AuthorizedExchange): Promise<void> {
    const { output, lowLatency } = this.#options;
    const { kind, key } = target;
    if (kind === 'rewind-playlist') return this.#serveRewind(key, target.query, exchange);
    return this.#servePlaylist(kind === 'playlist' ? output.find(key) : lowLatency.watch(key), key, exchange);
  }

  get #hasContexts(): boolean {
    return this.#options.output.config.sessionContexts;
  }

  async #serveRewind(key: MediaPath, query: string, exchange: AuthorizedExchange): Promise<void> {
    const { response } = exchange;
    const view = await this.#options.rewind!.viewOf(key, query, response);
    if (view) return this.#servePlaylist(view, key, exchange);
    if (!response.headersSent && !response.destroyed) sendFailure(response, noWindow);
  }

  async #servePlaylist(stream: ServedStream | undefined, path: MediaPath, exchange: AuthorizedExchange): Promise<void> {
    const { request, response } = exchange;
    const { sessions } = this.#options;
    const context = this.#hasContexts ? contextOf(path.query) : undefined;
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const isKnownViewer = session?.isAdmitted || !this.#hasContexts;
    if (stream === undefined || (!stream.isPublished && !isKnownViewer)) {
      sendFailure(response, toFailure(notPublished(path)));
      return;
    }
    if (!(await this.#isReady(stream, request, response))) return;
    if (stream.unsupportedMedia !== undefined) {
      if (!session?.isAdmitted) this.#refuseMedia(path, stream.unsupportedMedia, request);
      sendUnsupportedCodec(response, stream.unsupportedMedia);
    } else if (session?.isAdmitted || !this.#hasContexts) await this.#sendMedia(stream, path, { ...exchange, session });
    else await this.#begin(stream, path, { ...exchange, context });
  }

  /** Sends the viewer's playlist. Without session contexts, viewers with the same authorization get the same text, which may be cached. */
  async #sendMedia(stream: ServedStream, path: MediaPath, exchange: SessionExchange): Promise<void> {
    const { response, session, carry } = exchange;
    if (session) this.#options.sessions.touch(session, stream.targetDurationMs, true);
    const query = mediaQuery(session?.context, carry);
    if ('rewindBody' in stream) {
      const body = stream.rewindBody(query);
      // Meanwhile the requested range has left the window.
      if (!body) return sendFailure(response, noWindow);
      session?.player?.countSent(sendPlaylist(response, body, this.#cachingFor(exchange)));
      return;
    }
    const sent =
      'playlistBody' in stream
        ? await this.#options.parts.servePlaylist(stream, path.query, { viewer: toViewer(exchange, query), response })
        : sendPlaylist(response, stream.playlistText(query), this.#cachingFor(exchange));
    session?.player?.countSent(sent);
  }

  #cachingFor({ session, carry }: SessionExchange): string {
    if (session) return 'no-cache';
    const { windowSeconds } = this.#options.output.config;
    return `${cachedBy(carry)}, max-age=${windowSeconds * 1000 <= lowLatencyWindowMs ? 1 : 10}`;
  }

  /**
   * Handles the first request of a viewer, and requests of an ended session. Calls the gate, then sends a master playlist that references
   * the viewer's media playlist. A viewer from a multivariant playlist gets the media playlist directly.
   */
  async #begin(
    stream: ServedStream,
    path: MediaPath,
    { context, ...exchange }: AuthorizedExchange & { readonly context: string | undefined },
  ): Promise<void> {
    const { request, response } = exchange;
    const { sessions, gate } = this.#options;
    const info = toPlaySession('hls-play', path, request);
    const wanted = context ?? info.clientId;
    const session = sessions.find(path, wanted) ?? sessions.begin(info, wanted, 'rewindBody' in stream);
    const admission = await session.admission;
    if (session.isKicked) sendFailure(response, sessionEnded);
    else if (!admission.ok) {
      sessions.forget(session);
      sendFailure(response, toFailure(admission));
    } else if (session.hasEnded) {
      gate.refuse(session.info, 'limit', { reason: 'limit-reached', detail: tooManyViewers.message });
      sendFailure(response, tooManyViewers);
    } else if (isOfVariant(context)) {
      sessions.touch(session, stream.targetDurationMs, false);
      await this.#sendMedia(stream, path, { ...exchange, session });
    } else {
      sessions.touch(session, stream.targetDurationMs, false);
      sendPlaylist(response, stream.masterText(toMediaUrl(request.url ?? '', wanted)), 'no-cache');
    }
  }

  /**
   * Waits for the first segment, or for media that HLS cannot carry. Returns true if either is known. Returns false after a disconnect, or
   * after sending an error.
   */
  async #isReady(
    stream: ServedStream,
    request: IncomingMessage & WithClientAddress,
    response: ServerResponse,
  ): Promise<boolean> {
    const isClear = (): boolean => stream.unsupportedMedia !== undefined || stream.hasSegments;
    await this.#options.held.hold(response, {
      ip: addressOf(request),
      timeoutMs: firstSegmentHoldMs,
      isMet: () => isClear() || !stream.isPublished,
      onChange: (callback) => stream.onReady(callback),
    });
    if (response.destroyed) return false;
    if (isClear()) return true;
    if (stream.isPublished) sendNotReady(response);
    else sendFailure(response, toFailure(notPublished(stream.key)));
    return false;
  }

  #refuseMedia(path: MediaPath, media: string, request: IncomingMessage): void {
    const info = toPlaySession('hls-play', path, request);
    const detail = `HLS segments cannot carry ${media}`;
    this.#options.gate.refuse(info, 'unsupported', { reason: 'codec-unsupported', detail });
  }
}

const tooManyViewers = { status: 503, name: 'limit-reached', message: 'too many HLS viewers' } as const;
