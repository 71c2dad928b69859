// Requests for playlists and segments → answers: session contexts as SRS has them, waiting for a first segment, refusals.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { HlsConfig } from '../../engine-config.ts';
import { type RefusalLog, toRefusal } from '../../engine-refusals.ts';
import type { EnginePorts, Verdict } from '../../ports.ts';
import type { RefusalReason, SessionInfo } from '../../session-info.ts';
import { openHeaders, sendFailure } from '../http-answer.ts';
import type { MediaPath } from '../media-path.ts';
import { toPlaySession, type WithClientAddress } from '../play-session.ts';
import {
  sendNotReady,
  sendPlaylist,
  sendSegmentFromDisk,
  sendSegmentFromMemory,
  sendUnsupportedCodec,
} from './hls-answer.ts';
import { contextOf, toMediaUrl } from './hls-context.ts';
import type { HlsSession, HlsSessions } from './hls-sessions.ts';
import type { HlsStream } from './hls-stream.ts';
import { toMasterText } from './live-playlist.ts';
import { folderOf, parseSegmentName } from './segment-names.ts';

export interface HlsFrontOptions {
  readonly config: () => HlsConfig;
  readonly find: (path: MediaPath) => HlsStream | undefined;
  readonly sessions: HlsSessions;
  readonly ports: Pick<EnginePorts, 'log' | 'isValidStream'>;
  /** Where refused viewers are noted, when somebody wants to know. */
  readonly refusals: Pick<RefusalLog, 'record'> | undefined;
  readonly wallClock: () => number;
}

/** A playlist asked for before the first segment is complete waits this long, milliseconds: below every player's own timeout. */
const firstSegmentHoldMs = 8_000;
/** Requests that may wait at one time; beyond, they are told to come back. */
const maxHeldRequests = 10_000;
/** Windows up to this long are the low-latency setting, seconds: its playlists may be cached for a second only. */
const lowLatencyWindowSeconds = 16;

export class HlsFront {
  private readonly options: HlsFrontOptions;
  private held = 0;

  constructor(options: HlsFrontOptions) {
    this.options = options;
  }

  /** False when the path is no playlist and no segment of ours. */
  handle(path: MediaPath, request: IncomingMessage & WithClientAddress, response: ServerResponse): boolean {
    const segment = path.extension === 'ts' ? parseSegmentName(`${path.stream}.ts`) : undefined;
    if (path.extension !== 'm3u8' && segment === undefined) return false;
    const key = { ...path, stream: segment?.stream ?? path.stream };
    if (request.method === 'OPTIONS') response.writeHead(200, openHeaders).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') sendFailure(response, methodNotAllowed);
    else if (!this.options.ports.isValidStream(key)) this.refuseName(key, request, response);
    else if (segment === undefined) this.run(response, () => this.answerPlaylist(key, request, response));
    else this.run(response, () => this.answerSegment(key, `${path.stream}.ts`, response));
    return true;
  }

  private run(response: ServerResponse, answer: () => Promise<void>): void {
    answer().catch((error: unknown) => {
      this.options.ports.log.error({ err: error }, 'HLS request failed');
      response.destroy();
    });
  }

  private async answerPlaylist(path: MediaPath, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessions, find } = this.options;
    const context = this.options.config().sessionContexts ? contextOf(path.query) : undefined;
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = find(path);
    const isKnownViewer = session?.isAdmitted || !this.options.config().sessionContexts;
    if (stream === undefined || (!stream.isPublished && !isKnownViewer)) {
      sendFailure(response, notPublished(path));
      return;
    }
    if (!(await this.isReady(stream, response))) return;
    if (!this.options.config().sessionContexts) this.sendPlain(stream, response);
    else if (session?.isAdmitted) this.sendMedia(stream, session, response);
    else await this.sendMaster(stream, path, { request, response, context });
  }

  /** Contexts off: the same text for everybody, made for caches in front. */
  private sendPlain(stream: HlsStream, response: ServerResponse): void {
    const isLowLatency = this.options.config().windowSeconds <= lowLatencyWindowSeconds;
    sendPlaylist(response, stream.playlistText(''), `public, max-age=${isLowLatency ? 1 : 10}`);
  }

  private sendMedia(stream: HlsStream, session: HlsSession, response: ServerResponse): void {
    this.options.sessions.touch(session, stream.targetDurationMs, true);
    const size = sendPlaylist(response, stream.playlistText(`?hls_ctx=${session.context}`), 'no-cache');
    session.player?.countSent(size);
  }

  /** First request of a viewer, or one whose session was forgotten: asks the host, then names the viewer's own playlist. */
  private async sendMaster(
    stream: HlsStream,
    path: MediaPath,
    { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: string | undefined },
  ): Promise<void> {
    const { sessions } = this.options;
    const info = toPlaySession('hls-play', path, request);
    const wanted = context ?? info.clientId;
    const session = sessions.find(path, wanted) ?? sessions.begin(info, wanted);
    if (session === undefined) {
      this.refuse(info, { reason: 'limit-reached', detail: 'too many HLS viewers' });
      sendFailure(response, tooManyViewers);
      return;
    }
    const verdict = await session.verdict;
    if (session.isKicked) sendFailure(response, sessionEnded);
    else if (!verdict.allowed) this.sendRefusal(session, verdict, response);
    else if (session.hasEnded) sendFailure(response, tooManyViewers);
    else {
      sessions.touch(session, stream.targetDurationMs, false);
      sendPlaylist(response, toMasterText(toMediaUrl(request.url ?? '', wanted), stream.bandwidth), 'no-cache');
    }
  }

  private sendRefusal(session: HlsSession, verdict: Verdict & { allowed: false }, response: ServerResponse): void {
    this.options.sessions.forget(session);
    this.refuse(session.info, verdict);
    sendFailure(response, { status: 403, name: verdict.reason, message: verdict.detail });
  }

  private async answerSegment(path: MediaPath, fileName: string, response: ServerResponse): Promise<void> {
    const { sessions, find, config } = this.options;
    const context = contextOf(path.query);
    const session = context === undefined ? undefined : sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = find(path);
    const segment = stream?.findSegment(fileName);
    const sent =
      segment?.chunks !== undefined
        ? sendSegmentFromMemory(response, segment.chunks, segment.sizeBytes)
        : await sendSegmentFromDisk(response, segment?.path ?? join(config().path, folderOf(path), fileName));
    if (session === undefined || !session.isAdmitted) return;
    sessions.touch(session, stream?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  /** True when there is a playlist to send; else the request waits, and is answered when it waited in vain. */
  private async isReady(stream: HlsStream, response: ServerResponse): Promise<boolean> {
    if (stream.unsupportedMedia === undefined && !stream.hasSegments) await this.hold(stream, response);
    if (response.destroyed) return false;
    if (stream.unsupportedMedia !== undefined) sendUnsupportedCodec(response, stream.unsupportedMedia);
    else if (stream.hasSegments) return true;
    else if (stream.isPublished) sendNotReady(response);
    else sendFailure(response, notPublished(stream.key));
    return false;
  }

  private async hold(stream: HlsStream, response: ServerResponse): Promise<void> {
    if (this.held >= maxHeldRequests || !stream.isPublished) return;
    this.held++;
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
    this.held--;
  }

  private refuseName(path: MediaPath, request: IncomingMessage, response: ServerResponse): void {
    const detail = 'the stream name is not valid';
    this.refuse(toPlaySession('hls-play', path, request), { reason: 'name-invalid', detail });
    sendFailure(response, { status: 400, name: 'name-invalid', message: detail });
  }

  private refuse(info: SessionInfo, { reason, detail }: { reason: RefusalReason; detail: string }): void {
    const { refusals, ports, wallClock } = this.options;
    refusals?.record(toRefusal(info, { protocol: 'http', action: 'play', reason, detail, atMs: wallClock() }));
    ports.log.warn({ stream: toStreamUrl(info), ip: info.ip, reason, detail }, 'play refused');
  }
}

const methodNotAllowed = { status: 405, name: 'method-not-allowed', message: 'GET, HEAD or OPTIONS, please' } as const;
const sessionEnded = { status: 404, name: 'session-ended', message: 'this viewer was disconnected' } as const;
const tooManyViewers = { status: 503, name: 'limit-reached', message: 'too many HLS viewers' } as const;

function notPublished(key: Parameters<typeof toStreamUrl>[0]) {
  return { status: 404, name: 'stream-not-found', message: `${toStreamUrl(key)} is not being published` } as const;
}
