// Requests for playlists and segments → answers: session contexts as SRS has them, waiting for a first segment, refusals. Looks
// after the viewers' sessions with a timer of its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { RewindSegment } from '@srs-stack/process/rewind/rewind-names.ts';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import type { HlsStream } from '../../egress/hls/hls-stream.ts';
import { type CachedSegment, inOnePiece } from '../../egress/hls/segment-memory.ts';
import { folderOf } from '../../egress/hls/segment-names.ts';
import type { LowLatencyOutput } from '../../egress/low-latency-hls/low-latency-output.ts';
import type { LowLatencyStream } from '../../egress/low-latency-hls/low-latency-stream.ts';
import type { MediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import type { EnginePorts } from '../../ports.ts';
import { notPublished, type PlayGate } from '../gate/play-gate.ts';
import { sendFailure, toFailure, uncached, writeOpenHead } from '../http/http-answer.ts';
import { type MediaPath, parseMediaPath } from '../http/media-path.ts';
import { toPlaySession, type WithClientAddress } from '../http/play-session.ts';
import { DiskReads } from './disk-reads.ts';
import { HeldRequests } from './held-requests.ts';
import {
  type SegmentCaching,
  sendComeAgain,
  sendNotReady,
  sendPlaylist,
  sendPlaylistBody,
  sendSegmentFromDisk,
  sendSegmentFromMemory,
  sendUnsupportedCodec,
} from './hls-answer.ts';
import { contextOf, isOfVariant, mediaQuery, queryOfViewer, toMediaUrl } from './hls-context.ts';
import { type HlsSession, HlsSessions } from './hls-sessions.ts';
import { type HlsTarget, toHlsTarget } from './hls-target.ts';
import { LowLatencyFront, type Viewer } from './low-latency-front.ts';
import { noWindow, type RewindFront, type RewindView } from './rewind-front.ts';

export interface HlsFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatency: Pick<LowLatencyOutput, 'isEnabled' | 'watch' | 'find'>;
  /** Undefined: nothing can be rewound. */
  readonly rewind?: RewindFront | undefined;
  readonly gate: PlayGate;
  readonly ports: Pick<EnginePorts, 'log' | 'isValidStream' | 'renditionOf' | 'origins' | 'reviewPlay'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Fewer places for tests. */
  readonly held?: HeldRequests;
}

/** How often sessions are looked at, milliseconds. */
const sweepIntervalMs = 1_000;
/** A session ends after this many windows without a request (as SRS). */
const idleWindows = 2;

/** A playlist asked for before the first segment is complete waits this long, milliseconds: below every player's own timeout. */
const firstSegmentHoldMs = 8_000;
/** Windows up to this long are the low-latency setting, milliseconds: its playlists may be cached for a second only. */
const lowLatencyWindowMs = 16_000;

/** A stream in either form, as far as its playlist is asked for. */
type ServedStream = HlsStream | LowLatencyStream | RewindView;

interface Exchange {
  readonly request: IncomingMessage & WithClientAddress;
  readonly response: ServerResponse;
}

interface Reviewed extends Exchange {
  /** The query that opens the segments; '' where everybody may watch. */
  readonly carry: string;
}

interface Asking extends Reviewed {
  /** Undefined with contexts off. */
  readonly session: HlsSession | undefined;
}

interface SegmentPlace {
  readonly path: string;
  /** With its bytes while it is in memory. */
  readonly held?: CachedSegment | undefined;
}

export class HlsFront {
  readonly #options: HlsFrontOptions;
  readonly #sessions: HlsSessions;
  readonly #timer: NodeJS.Timeout;
  readonly #held: HeldRequests;
  readonly #parts: LowLatencyFront;
  readonly #diskReads = new DiskReads();

  constructor(options: HlsFrontOptions) {
    this.#options = options;
    const { gate, clock, ports, held = new HeldRequests() } = options;
    this.#held = held;
    this.#parts = new LowLatencyFront(held);
    this.#sessions = new HlsSessions({ gate, clock, renditionOf: ports.renditionOf });
    gate.addHolder(this.#sessions);
    this.#timer = setInterval(() => this.#sessions.sweep(clock(), idleWindows * this.#windowMs), sweepIntervalMs);
    this.#timer.unref();
  }

  /** Serves `*.m3u8` and segment `*.ts`; false, without touching the response, for every other path. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    const path = parseMediaPath(request.url ?? '');
    return path !== undefined && this.#handle(path, request, response);
  }

  /** Another gateway has sent so much to a viewer whose session is here. */
  countSent(key: StreamKey, context: string, bytes: number): void {
    const session = this.#sessions.find(key, context);
    if (!session?.isAdmitted || session.isKicked) return;
    this.#sessions.touch(session, this.#options.output.find(key)?.targetDurationMs ?? 0, true);
    session.player?.countSent(bytes);
  }

  /** Ends all sessions. Idempotent. */
  close(): void {
    clearInterval(this.#timer);
    this.#sessions.close();
  }

  get #windowMs(): number {
    return this.#options.output.config.windowSeconds * 1000;
  }

  get #hasContexts(): boolean {
    return this.#options.output.config.sessionContexts;
  }

  /** False when the path is no playlist and no file of ours. */
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

  /** A stream may be named as a low-latency playlist: then it has the address. */
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

  /** Answers those who may watch. What a request is let in by is good for itself alone: the next one is looked at again. */
  async #reviewed(target: HlsTarget, exchange: Exchange): Promise<void> {
    const { gate, ports } = this.#options;
    const { kind, key } = target;
    const isSegment = !['playlist', 'low-latency-playlist', 'rewind-playlist', 'rewind-storyboard'].includes(kind);
    const info = toPlaySession('hls-play', { ...key, query: queryOfViewer(key.query) }, exchange.request);
    const verdict = await ports.reviewPlay?.({ ...info, isSegment });
    if (!verdict || verdict.allowed) return this.#answer(target, { ...exchange, carry: verdict?.carry ?? '' });
    // Players ask for many segments by one bad playlist.
    const { reason, detail } = verdict;
    const refusal = isSegment
      ? ({ ok: false, rule: 'host', reason, detail } as const)
      : gate.refuse(info, 'host', verdict);
    if (!exchange.response.destroyed) sendFailure(exchange.response, toFailure(refusal));
  }

  #answer(target: HlsTarget, asked: Reviewed): Promise<void> {
    // Judged here first: what is kept of another node is for everybody.
    if (this.#isElsewhere(target, asked.request, asked.response)) return Promise.resolve();
    const { rewind } = this.#options;
    if (target.kind === 'rewind-playlist') return this.#answerRewind(target.key, target.query, asked);
    if (target.kind === 'rewind-segment') return this.#answerRewindSegment(target.key, target.segment, asked);
    if (target.kind === 'rewind-picture') return this.#answerPicture(target.key, target.startMs, asked);
    if (target.kind === 'rewind-storyboard') {
      return rewind!.answerStoryboard(target.key, mediaQuery(undefined, asked.carry), asked.response);
    }
    if (target.kind === 'segment') return this.#answerSegment(target.key, target.fileName, asked);
    if (target.kind === 'low-latency-file') return this.#answerPart(target.key, target.name, asked);
    const { output, lowLatency } = this.#options;
    const isPlain = target.kind === 'playlist';
    const stream = isPlain ? output.find(target.key) : lowLatency.watch(target.key);
    return this.#answerPlaylist(stream, target.key, asked);
  }

  /**
   * Playlists are made, and viewers counted, where the stream is published, and parts are kept there; segments lie in a folder that all
   * gateways of a machine share. True when the other gateway answers.
   */
  #isElsewhere({ kind, key }: HlsTarget, request: IncomingMessage, response: ServerResponse): boolean {
    const { origins } = this.#options.ports;
    const own = this.#options.output.find(key);
    const isShared = kind === 'segment' || kind === 'rewind-segment';
    if (!origins || own?.isPublished || (isShared && !origins.isRemote(key))) return false;
    // What has ended here is told here, unless its publisher came back elsewhere.
    if (own && origins.publishedSince(key) === undefined) return false;
    return origins.forward(key, request, response);
  }

  #run(response: ServerResponse, answer: () => Promise<void>): void {
    answer().catch((error: unknown) => {
      this.#options.ports.log.error({ err: error }, 'HLS request failed');
      response.destroy();
    });
  }

  async #answerPlaylist(stream: ServedStream | undefined, path: MediaPath, asked: Reviewed): Promise<void> {
    const { request, response } = asked;
    const sessions = this.#sessions;
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
    } else if (session?.isAdmitted || !this.#hasContexts) await this.#sendMedia(stream, path, { ...asked, session });
    else await this.#begin(stream, path, { ...asked, context });
  }

  async #answerRewind(key: MediaPath, query: string, asked: Reviewed): Promise<void> {
    const { response } = asked;
    const view = await this.#options.rewind!.viewOf(key, query, response);
    if (view) return this.#answerPlaylist(view, key, asked);
    if (!response.headersSent && !response.destroyed) sendFailure(response, noWindow);
  }

  async #answerRewindSegment(key: MediaPath, segment: RewindSegment, asked: Reviewed): Promise<void> {
    const rewind = this.#options.rewind!;
    if (rewind.isRewound(key)) return this.#sendSegment(key, { path: rewind.segmentPath(key, segment) }, asked);
    sendFailure(asked.response, noWindow);
  }

  #answerPicture(key: MediaPath, startMs: number, { request, response, carry }: Reviewed): Promise<void> {
    if (this.#diskReads.begin(response, addressOf(request)))
      return this.#options.rewind!.answerPicture(key, startMs, { response, caching: cachedBy(carry) });
    sendComeAgain(response, tooManyReads);
    return Promise.resolve();
  }

  /** The viewer's own playlist; with contexts off the same text for everybody, made for caches in front. */
  async #sendMedia(stream: ServedStream, path: MediaPath, asked: Asking): Promise<void> {
    const { response, session, carry } = asked;
    if (session) this.#sessions.touch(session, stream.targetDurationMs, true);
    const query = mediaQuery(session?.context, carry);
    if ('rewindBody' in stream) {
      const body = stream.rewindBody(query);
      // It slid out while the request was judged.
      if (!body) return sendFailure(response, noWindow);
      session?.player?.countSent(sendPlaylistBody(response, body, this.#cachingFor(asked)));
      return;
    }
    const sent =
      'playlistBody' in stream
        ? await this.#parts.answerPlaylist(stream, path.query, { viewer: toViewer(asked, query), response })
        : sendPlaylist(response, stream.playlistText(query), this.#cachingFor(asked));
    session?.player?.countSent(sent);
  }

  #cachingFor({ session, carry }: Asking): string {
    if (session) return 'no-cache';
    return `${cachedBy(carry)}, max-age=${this.#windowMs <= lowLatencyWindowMs ? 1 : 10}`;
  }

  /**
   * First request of a viewer, or one whose session was forgotten: asks at the gate, then names the viewer's own playlist. Whom a
   * playlist of several streams sent gets it at once.
   */
  async #begin(
    stream: ServedStream,
    path: MediaPath,
    { context, ...asked }: Reviewed & { readonly context: string | undefined },
  ): Promise<void> {
    const { request, response } = asked;
    const sessions = this.#sessions;
    const info = toPlaySession('hls-play', path, request);
    const wanted = context ?? info.clientId;
    const session = sessions.find(path, wanted) ?? sessions.begin(info, wanted, 'rewindBody' in stream);
    if (session === undefined) {
      this.#options.gate.refuse(info, 'limit', { reason: 'limit-reached', detail: tooManyViewers.message });
      sendFailure(response, tooManyViewers);
      return;
    }
    const admission = await session.admission;
    if (session.isKicked) sendFailure(response, sessionEnded);
    else if (!admission.ok) {
      sessions.forget(session);
      sendFailure(response, toFailure(admission));
    } else if (session.hasEnded) sendFailure(response, tooManyViewers);
    else if (isOfVariant(context)) {
      sessions.touch(session, stream.targetDurationMs, false);
      await this.#sendMedia(stream, path, { ...asked, session });
    } else {
      sessions.touch(session, stream.targetDurationMs, false);
      sendPlaylist(response, stream.masterText(toMediaUrl(request.url ?? '', wanted)), 'no-cache');
    }
  }

  async #answerPart(path: MediaPath, name: MediaFileName, asked: Reviewed): Promise<void> {
    const { response } = asked;
    const context = contextOf(path.query);
    const session = context === undefined ? undefined : this.#sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = this.#options.lowLatency.find(path);
    const sent = await this.#parts.answerFile(stream, name, { viewer: toViewer({ ...asked, session }), response });
    if (session === undefined || !session.isAdmitted || sent === 0) return;
    this.#sessions.touch(session, stream?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  #answerSegment(key: MediaPath, fileName: string, asked: Reviewed): Promise<void> {
    const { output } = this.#options;
    const segment = output.find(key)?.findSegment(fileName);
    const path = segment?.path ?? join(output.config.path, folderOf(key), fileName);
    return this.#sendSegment(key, { path, held: segment }, asked);
  }

  async #sendSegment(
    key: MediaPath,
    { path, held }: SegmentPlace,
    { request, response, carry }: Reviewed,
  ): Promise<void> {
    const sessions = this.#sessions;
    const context = contextOf(key.query);
    const session = context === undefined ? undefined : sessions.find(key, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    let sent: number;
    const segment = held && inOnePiece(held);
    if (segment) {
      sent = sendSegmentFromMemory(response, segment, cachedBy(carry));
    } else if (this.#diskReads.begin(response, addressOf(request))) {
      sent = await sendSegmentFromDisk(response, path, cachedBy(carry));
    } else {
      sendComeAgain(response, tooManyReads);
      return;
    }
    if (session === undefined && context !== undefined) this.#options.ports.origins?.countSent(key, context, sent);
    if (session === undefined || !session.isAdmitted) return;
    sessions.touch(session, this.#options.output.find(key)?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  /** True when it is clear what to send; else the request waits, and is answered when it waited in vain. */
  async #isReady(
    stream: ServedStream,
    request: IncomingMessage & WithClientAddress,
    response: ServerResponse,
  ): Promise<boolean> {
    const isClear = (): boolean => stream.unsupportedMedia !== undefined || stream.hasSegments;
    await this.#held.hold(response, {
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

  #refuseName(path: MediaPath, request: IncomingMessage, response: ServerResponse): void {
    sendFailure(response, toFailure(this.#options.gate.refuseName(toPlaySession('hls-play', path, request))));
  }

  #refuseMedia(path: MediaPath, media: string, request: IncomingMessage): void {
    const info = toPlaySession('hls-play', path, request);
    const detail = `HLS segments cannot carry ${media}`;
    this.#options.gate.refuse(info, 'unsupported', { reason: 'codec-unsupported', detail });
  }
}

function addressOf(request: IncomingMessage & WithClientAddress): string {
  return plainAddress(request.clientAddress ?? request.socket.remoteAddress ?? '');
}

function cachedBy(carry: string): SegmentCaching {
  return carry === '' ? 'public' : 'private';
}

function toViewer({ request, session, carry }: Asking, query = ''): Viewer {
  return {
    ip: addressOf(request),
    query,
    isOwn: session !== undefined,
    caching: cachedBy(carry),
    isKicked: () => session?.isKicked ?? false,
  };
}

const methodNotAllowed = { status: 405, name: 'method-not-allowed', message: 'GET, HEAD or OPTIONS, please' } as const;
const sessionEnded = { status: 404, name: 'session-ended', message: 'this viewer was disconnected' } as const;
const tooManyViewers = { status: 503, name: 'limit-reached', message: 'too many HLS viewers' } as const;
const tooManyReads = 'too many segments are being sent at one time';
