// Requests for playlists and segments → answers: session contexts as SRS has them, waiting for a first segment, refusals. Looks
// after the viewers' sessions with a timer of its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import type { HlsStream } from '../../egress/hls/hls-stream.ts';
import { folderOf } from '../../egress/hls/segment-names.ts';
import type { LowLatencyOutput } from '../../egress/low-latency-hls/low-latency-output.ts';
import type { LowLatencyStream } from '../../egress/low-latency-hls/low-latency-stream.ts';
import type { MediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import type { EnginePorts } from '../../ports.ts';
import { notPublished, type PlayGate } from '../gate/play-gate.ts';
import { openHeaders, sendFailure, toFailure } from '../http/http-answer.ts';
import { type MediaPath, parseMediaPath } from '../http/media-path.ts';
import { toPlaySession, type WithClientAddress } from '../http/play-session.ts';
import { HeldRequests } from './held-requests.ts';
import {
  type SegmentCaching,
  sendNotReady,
  sendPlaylist,
  sendSegmentFromDisk,
  sendSegmentFromMemory,
  sendUnsupportedCodec,
} from './hls-answer.ts';
import { contextOf, mediaQuery, queryOfViewer, toMediaUrl } from './hls-context.ts';
import { type HlsSession, HlsSessions } from './hls-sessions.ts';
import { type HlsTarget, toHlsTarget } from './hls-target.ts';
import { LowLatencyFront, type Viewer } from './low-latency-front.ts';

export interface HlsFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatency: Pick<LowLatencyOutput, 'isEnabled' | 'watch' | 'find'>;
  readonly gate: PlayGate;
  readonly ports: Pick<EnginePorts, 'log' | 'isValidStream' | 'origins' | 'reviewPlay'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
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
type ServedStream = HlsStream | LowLatencyStream;

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

export class HlsFront {
  readonly #options: HlsFrontOptions;
  readonly #sessions: HlsSessions;
  readonly #timer: NodeJS.Timeout;
  readonly #held = new HeldRequests();
  readonly #parts = new LowLatencyFront(this.#held);

  constructor(options: HlsFrontOptions) {
    this.#options = options;
    const { gate, clock } = options;
    this.#sessions = new HlsSessions({ gate, clock });
    gate.onFull(() => this.#sessions.makeRoom());
    this.#timer = setInterval(() => this.#sessions.sweep(clock(), idleWindows * this.#windowMs), sweepIntervalMs);
    this.#timer.unref();
  }

  /** Serves `*.m3u8` and segment `*.ts`; false, without touching the response, for every other path. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean {
    const path = parseMediaPath(request.url ?? '');
    return path !== undefined && this.#handle(path, request, response);
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
    if (request.method === 'OPTIONS') response.writeHead(200, openHeaders).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') sendFailure(response, methodNotAllowed);
    else if (!this.#options.ports.isValidStream(key)) this.#refuseName(key, request, response);
    else this.#run(response, () => this.#reviewed(target, { request, response }));
    return true;
  }

  /** A stream may be named as a low-latency playlist: then it has the address. */
  #toTarget(path: MediaPath): HlsTarget | undefined {
    const target = toHlsTarget(path);
    if (target?.kind === 'low-latency-file') return this.#options.lowLatency.isEnabled ? target : undefined;
    if (target?.kind !== 'low-latency-playlist') return target;
    const { output, lowLatency, ports } = this.#options;
    const isName = output.find(path) !== undefined || ports.origins?.publishedSince(path) !== undefined;
    return isName || !lowLatency.isEnabled ? { kind: 'playlist', key: path } : target;
  }

  /** Answers those who may watch. What a request is let in by is good for itself alone: the next one is looked at again. */
  async #reviewed(target: HlsTarget, exchange: Exchange): Promise<void> {
    const { gate, ports } = this.#options;
    const { kind, key } = target;
    const isSegment = kind === 'segment' || kind === 'low-latency-file';
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
    if (!origins || own?.isPublished || (kind === 'segment' && !origins.isRemote(key))) return false;
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
    else await this.#sendMaster(stream, path, { request, response, context });
  }

  /** The viewer's own playlist; with contexts off the same text for everybody, made for caches in front. */
  async #sendMedia(stream: ServedStream, path: MediaPath, asked: Asking): Promise<void> {
    const { response, session, carry } = asked;
    if (session) this.#sessions.touch(session, stream.targetDurationMs, true);
    const query = mediaQuery(session?.context, carry);
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

  /** First request of a viewer, or one whose session was forgotten: asks at the gate, then names the viewer's own playlist. */
  async #sendMaster(
    stream: ServedStream,
    path: MediaPath,
    { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: string | undefined },
  ): Promise<void> {
    const sessions = this.#sessions;
    const info = toPlaySession('hls-play', path, request);
    const wanted = context ?? info.clientId;
    const session = sessions.find(path, wanted) ?? sessions.begin(info, wanted);
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
    else {
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

  async #answerSegment(path: MediaPath, fileName: string, { response, carry }: Reviewed): Promise<void> {
    const sessions = this.#sessions;
    const { output } = this.#options;
    const context = contextOf(path.query);
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = output.find(path);
    const segment = stream?.findSegment(fileName);
    const sent =
      segment?.chunks !== undefined
        ? sendSegmentFromMemory(response, { chunks: segment.chunks, sizeBytes: segment.sizeBytes }, cachedBy(carry))
        : await sendSegmentFromDisk(
            response,
            segment?.path ?? join(output.config.path, folderOf(path), fileName),
            cachedBy(carry),
          );
    if (session === undefined || !session.isAdmitted) return;
    sessions.touch(session, stream?.targetDurationMs ?? 0, true);
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
