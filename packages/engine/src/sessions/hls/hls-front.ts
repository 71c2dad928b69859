// Requests for playlists and segments → answers: session contexts as SRS has them, waiting for a first segment, refusals. Looks
// after the viewers' sessions with a timer of its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import type { HlsStream } from '../../egress/hls/hls-stream.ts';
import { toMasterText } from '../../egress/hls/live-playlist.ts';
import { folderOf, parseSegmentName, type SegmentName } from '../../egress/hls/segment-names.ts';
import type { EnginePorts } from '../../ports.ts';
import { notPublished, type PlayGate } from '../gate/play-gate.ts';
import { openHeaders, sendFailure, toFailure } from '../http/http-answer.ts';
import { type MediaPath, parseMediaPath } from '../http/media-path.ts';
import { toPlaySession, type WithClientAddress } from '../http/play-session.ts';
import {
  sendNotReady,
  sendPlaylist,
  sendSegmentFromDisk,
  sendSegmentFromMemory,
  sendUnsupportedCodec,
} from './hls-answer.ts';
import { contextOf, queryOfViewer, toMediaUrl } from './hls-context.ts';
import { type HlsSession, HlsSessions } from './hls-sessions.ts';

export interface HlsFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
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
/** Requests that may wait at one time; beyond, they are told to come back. */
const maxHeldRequests = 10_000;
/** Windows up to this long are the low-latency setting, milliseconds: its playlists may be cached for a second only. */
const lowLatencyWindowMs = 16_000;

export class HlsFront {
  readonly #options: HlsFrontOptions;
  readonly #sessions: HlsSessions;
  readonly #timer: NodeJS.Timeout;
  #held = 0;

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

  /** False when the path is no playlist and no segment of ours. */
  #handle(path: MediaPath, request: IncomingMessage & WithClientAddress, response: ServerResponse): boolean {
    const segment = path.extension === 'ts' ? parseSegmentName(`${path.stream}.ts`) : undefined;
    if (path.extension !== 'm3u8' && segment === undefined) return false;
    const key = { ...path, stream: segment?.stream ?? path.stream };
    if (request.method === 'OPTIONS') response.writeHead(200, openHeaders).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') sendFailure(response, methodNotAllowed);
    else if (!this.#options.ports.isValidStream(key)) this.#refuseName(key, request, response);
    else if (this.#isElsewhere(key, segment, request, response)) return true;
    else if (segment === undefined) {
      this.#run(response, () =>
        this.#reviewed(key, request, response, (carry) => this.#answerPlaylist(key, request, response, carry)),
      );
    } else {
      this.#run(response, () =>
        this.#reviewed(key, request, response, (carry) =>
          this.#answerSegment(key, `${path.stream}.ts`, response, carry),
        ),
      );
    }
    return true;
  }

  /** Answers those who may watch. What a request is let in by is good for itself alone: the next one is looked at again. */
  async #reviewed(
    path: MediaPath,
    request: IncomingMessage & WithClientAddress,
    response: ServerResponse,
    answer: (carry: string) => Promise<void>,
  ): Promise<void> {
    const { gate, ports } = this.#options;
    const isSegment = path.extension === 'ts';
    const info = toPlaySession('hls-play', { ...path, query: queryOfViewer(path.query) }, request);
    const verdict = await ports.reviewPlay?.({ ...info, isSegment });
    if (!verdict || verdict.allowed) return answer(verdict?.carry ?? '');
    // Players ask for many segments by one bad playlist.
    const { reason, detail } = verdict;
    const refusal = isSegment
      ? ({ ok: false, rule: 'host', reason, detail } as const)
      : gate.refuse(info, 'host', verdict);
    if (!response.destroyed) sendFailure(response, toFailure(refusal));
  }

  /**
   * Playlists are made, and viewers counted, where the stream is published; segments lie in a folder that all gateways of a machine
   * share. True when the other gateway answers.
   */
  #isElsewhere(
    key: StreamKey,
    segment: SegmentName | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): boolean {
    const { origins } = this.#options.ports;
    const own = this.#options.output.find(key);
    if (!origins || own?.isPublished || (segment !== undefined && !origins.isRemote(key))) return false;
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

  /** `carry`: the query that opens the segments; '' where everybody may watch. */
  async #answerPlaylist(
    path: MediaPath,
    request: IncomingMessage,
    response: ServerResponse,
    carry: string,
  ): Promise<void> {
    const sessions = this.#sessions;
    const context = this.#hasContexts ? contextOf(path.query) : undefined;
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = this.#options.output.find(path);
    const isKnownViewer = session?.isAdmitted || !this.#hasContexts;
    if (stream === undefined || (!stream.isPublished && !isKnownViewer)) {
      sendFailure(response, toFailure(notPublished(path)));
      return;
    }
    if (!(await this.#isReady(stream, response))) return;
    if (stream.unsupportedMedia !== undefined) {
      if (!session?.isAdmitted) this.#refuseMedia(path, stream.unsupportedMedia, request);
      sendUnsupportedCodec(response, stream.unsupportedMedia);
    } else if (!this.#hasContexts) this.#sendPlain(stream, response, carry);
    else if (session?.isAdmitted) this.#sendMedia(stream, session, response, carry);
    else await this.#sendMaster(stream, path, { request, response, context });
  }

  /** Contexts off: the same text for everybody, made for caches in front. */
  #sendPlain(stream: HlsStream, response: ServerResponse, carry: string): void {
    const seconds = this.#windowMs <= lowLatencyWindowMs ? 1 : 10;
    if (carry === '') sendPlaylist(response, stream.playlistText(''), `public, max-age=${seconds}`);
    else sendPlaylist(response, stream.playlistText(`?${carry}`), `private, max-age=${seconds}`);
  }

  #sendMedia(stream: HlsStream, session: HlsSession, response: ServerResponse, carry: string): void {
    this.#sessions.touch(session, stream.targetDurationMs, true);
    const size = sendPlaylist(
      response,
      stream.playlistText(`?hls_ctx=${session.context}${carry && `&${carry}`}`),
      'no-cache',
    );
    session.player?.countSent(size);
  }

  /** First request of a viewer, or one whose session was forgotten: asks at the gate, then names the viewer's own playlist. */
  async #sendMaster(
    stream: HlsStream,
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
      sendPlaylist(response, toMasterText(toMediaUrl(request.url ?? '', wanted), stream.bandwidth), 'no-cache');
    }
  }

  async #answerSegment(path: MediaPath, fileName: string, response: ServerResponse, carry: string): Promise<void> {
    const sessions = this.#sessions;
    const { output } = this.#options;
    const context = contextOf(path.query);
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = output.find(path);
    const caching = carry === '' ? 'public' : 'private';
    const segment = stream?.findSegment(fileName);
    const sent =
      segment?.chunks !== undefined
        ? sendSegmentFromMemory(response, segment.chunks, segment.sizeBytes, caching)
        : await sendSegmentFromDisk(
            response,
            segment?.path ?? join(output.config.path, folderOf(path), fileName),
            caching,
          );
    if (session === undefined || !session.isAdmitted) return;
    sessions.touch(session, stream?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  /** True when it is clear what to send; else the request waits, and is answered when it waited in vain. */
  async #isReady(stream: HlsStream, response: ServerResponse): Promise<boolean> {
    if (stream.unsupportedMedia === undefined && !stream.hasSegments) await this.#hold(stream, response);
    if (response.destroyed) return false;
    if (stream.unsupportedMedia !== undefined || stream.hasSegments) return true;
    if (stream.isPublished) sendNotReady(response);
    else sendFailure(response, toFailure(notPublished(stream.key)));
    return false;
  }

  async #hold(stream: HlsStream, response: ServerResponse): Promise<void> {
    if (this.#held >= maxHeldRequests || !stream.isPublished) return;
    this.#held++;
    await new Promise<void>((resolve) => {
      const stopWaiting = stream.onReady(done);
      const timer = setTimeout(done, firstSegmentHoldMs);
      response.once('close', done);
      function done(): void {
        stopWaiting();
        clearTimeout(timer);
        response.off('close', done);
        resolve();
      }
    });
    this.#held--;
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

const methodNotAllowed = { status: 405, name: 'method-not-allowed', message: 'GET, HEAD or OPTIONS, please' } as const;
const sessionEnded = { status: 404, name: 'session-ended', message: 'this viewer was disconnected' } as const;
const tooManyViewers = { status: 503, name: 'limit-reached', message: 'too many HLS viewers' } as const;
