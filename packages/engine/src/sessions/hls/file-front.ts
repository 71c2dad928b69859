// Serves files that playlists reference: segments from memory or disk, parts, and seek bar data. The caller has authorized the request.
import { join } from 'node:path';
import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import { createHandleShortage, type HandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { HlsOutput } from '../../egress/hls/hls-output.ts';
import { folderOf } from '../../egress/hls/segment-names.ts';
import type { LowLatencyOutput } from '../../egress/low-latency-hls/low-latency-output.ts';
import type { MediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import type { EnginePorts } from '../../ports.ts';
import { sendFailure } from '../http/http-responses.ts';
import type { MediaPath } from '../http/media-path.ts';
import { DiskReads } from './disk-reads.ts';
import { contextOf, mediaQuery } from './hls-context.ts';
import { type AuthorizedExchange, addressOf, cachedBy, sessionEnded, toViewer } from './hls-exchange.ts';
import { type DiskFile, sendSegmentFromDisk, sendSegmentFromMemory } from './hls-responses.ts';
import type { HlsSessions } from './hls-sessions.ts';
import type { FileTarget } from './hls-target.ts';
import type { LowLatencyFront } from './low-latency-front.ts';
import { noWindow, type RewindFront } from './rewind-front.ts';

export interface FileFrontOptions {
  readonly output: Pick<HlsOutput, 'find' | 'config'>;
  readonly lowLatency: Pick<LowLatencyOutput, 'find'>;
  /** Undefined: rewinding is off, so no rewind file is requested. */
  readonly rewind?: RewindFront | undefined;
  readonly origins?: Pick<NonNullable<EnginePorts['origins']>, 'countSent'> | undefined;
  readonly sessions: HlsSessions;
  readonly parts: LowLatencyFront;
  readonly log: EnginePorts['log'];
}

interface SegmentPlace {
  readonly path: string;
  /** Resolves with the bytes of a file in memory; undefined if only on disk. */
  readonly held?: () => Promise<Buffer | undefined>;
}

export class FileFront {
  readonly #options: FileFrontOptions;
  readonly #diskReads = new DiskReads();
  readonly #shortage: HandleShortage;

  constructor(options: FileFrontOptions) {
    this.#options = options;
    this.#shortage = createHandleShortage(options.log);
  }

  async serve(target: FileTarget, authorized: AuthorizedExchange): Promise<void> {
    const { key } = target;
    switch (target.kind) {
      case 'segment':
        return this.#serveSegment(key, target.fileName, authorized);
      case 'low-latency-file':
        return this.#servePart(key, target.name, authorized);
      case 'rewind-segment':
        return this.#serveRewindSegment(key, target.segment, authorized);
      case 'rewind-picture':
        return this.#serveImage(key, target.startMs, authorized);
      case 'rewind-storyboard':
        return this.#options.rewind!.serveStoryboard(key, mediaQuery(undefined, authorized.carry), authorized.response);
    }
  }

  async #servePart(path: MediaPath, name: MediaFileName, authorized: AuthorizedExchange): Promise<void> {
    const { response } = authorized;
    const context = contextOf(path.query);
    const session = context === undefined ? undefined : this.#options.sessions.find(path, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    const stream = this.#options.lowLatency.find(path);
    const sent = await this.#options.parts.serveFile(stream, name, {
      viewer: toViewer({ ...authorized, session }),
      response,
    });
    if (session === undefined || !session.isAdmitted || sent === 0) return;
    this.#options.sessions.touch(session, stream?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  #serveSegment(key: MediaPath, fileName: string, authorized: AuthorizedExchange): Promise<void> {
    const { output } = this.#options;
    const stream = output.find(key);
    const segment = stream?.findSegment(fileName);
    if (stream && segment)
      return this.#sendSegment(key, { path: segment.path, held: () => stream.bytesOf(segment) }, authorized);
    return this.#sendSegment(key, { path: join(output.config.path, folderOf(key), fileName) }, authorized);
  }

  async #sendSegment(
    key: MediaPath,
    { path, held }: SegmentPlace,
    { request, response, carry }: AuthorizedExchange,
  ): Promise<void> {
    const { sessions, origins } = this.#options;
    const context = contextOf(key.query);
    const session = context === undefined ? undefined : sessions.find(key, context);
    if (session?.isKicked) {
      sendFailure(response, sessionEnded);
      return;
    }
    let sent: number;
    const segment = await held?.();
    if (segment) {
      sent = sendSegmentFromMemory(response, segment, cachedBy(carry));
    } else sent = await sendSegmentFromDisk(response, this.#diskFile(path, { request, response, carry }));
    if (session === undefined && context !== undefined) origins?.countSent(key, context, sent);
    if (session === undefined || !session.isAdmitted) return;
    sessions.touch(session, this.#options.output.find(key)?.targetDurationMs ?? 0, true);
    session.player?.countSent(sent);
  }

  async #serveRewindSegment(key: MediaPath, segment: RewindSegment, authorized: AuthorizedExchange): Promise<void> {
    const rewind = this.#options.rewind!;
    if (rewind.isRewound(key)) return this.#sendSegment(key, { path: rewind.segmentPath(key, segment) }, authorized);
    sendFailure(authorized.response, noWindow);
  }

  #serveImage(key: MediaPath, startMs: number, authorized: AuthorizedExchange): Promise<void> {
    const fileAt = (path: string): DiskFile => this.#diskFile(path, authorized);
    return this.#options.rewind!.serveImage(key, startMs, { response: authorized.response, fileAt });
  }

  #diskFile(path: string, { request, response, carry }: AuthorizedExchange): DiskFile {
    return {
      path,
      caching: cachedBy(carry),
      takePlace: () => this.#diskReads.begin(response, addressOf(request)),
      reportShortage: (error) => this.#shortage.report(error),
    };
  }
}
