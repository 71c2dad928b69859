// Serves low-latency playlists and their files. Waits for requested positions (RFC 8216bis §6.2.5.2), with limits; refuses impossible
// positions. The caller has authorized the request.
import type { ServerResponse } from 'node:http';
import type { LowLatencyStream, PlaylistPlace } from '../../egress/low-latency-hls/low-latency-stream.ts';
import type { MediaFileName } from '../../egress/low-latency-hls/part-names.ts';
import { sendFailure } from '../http/http-responses.ts';
import { type DeliveryDirectives, parseDeliveryDirectives } from './delivery-directives.ts';
import type { HeldOutcome, HeldRequests } from './held-requests.ts';
import { type SegmentCaching, segmentNotFound, sendFragment, sendPlaylist } from './hls-responses.ts';

/** Maximum wait of a request in target durations (§6.2.5.2). */
const holdTargets = 3;
/** Cache time of blocking responses, which never change, in target durations (§B.1). */
const cachedTargets = 6;

export interface Viewer {
  readonly ip: string;
  /** Session id of the viewer, if session contexts are on. */
  readonly session: string | undefined;
  /** Query for every URL in the playlist, with its question mark; or ''. */
  readonly query: string;
  /** True if the playlist contains the viewer's session id, so that caches must not store it. */
  readonly isOwn: boolean;
  readonly caching: SegmentCaching;
  isKicked(): boolean;
}

export class LowLatencyFront {
  readonly #held: HeldRequests;

  constructor(held: HeldRequests) {
    this.#held = held;
  }

  /** Sends the playlist or an error. Resolves with the number of sent bytes. @param query query of the request. */
  async servePlaylist(
    stream: LowLatencyStream,
    query: string,
    { viewer, response }: { viewer: Viewer; response: ServerResponse },
  ): Promise<number> {
    const directives = parseDeliveryDirectives(query);
    if (directives === undefined) return refuse(response, badDirective);
    const { place, isDelta } = directives;
    if (place && stream.isPublished && stream.isTooFar(place)) return refuse(response, tooFarAhead);
    if (place && !(await this.#waitFor(stream, place, { viewer, response }))) return 0;
    if (viewer.isKicked()) return refuse(response, kicked);
    return sendPlaylist(response, stream.playlistBody(viewer.query, isDelta), caching(stream, directives, viewer));
  }

  /** Sends the file, after waiting for a part that is being made. Resolves with the number of sent bytes. */
  async serveFile(
    stream: LowLatencyStream | undefined,
    name: MediaFileName,
    { viewer, response }: { viewer: Pick<Viewer, 'ip' | 'session' | 'caching' | 'isKicked'>; response: ServerResponse },
  ): Promise<number> {
    if (stream?.isHinted(name)) {
      const outcome = await this.#held.hold(response, {
        ip: viewer.ip,
        session: viewer.session,
        timeoutMs: holdTargets * stream.targetDurationMs,
        isMet: () => !stream.isHinted(name),
        onChange: (callback) => stream.onReady(callback),
      });
      if (!sendErrorUnlessMet(outcome, response)) return 0;
      if (viewer.isKicked()) return refuse(response, kicked);
    }
    const file = stream?.findFile(name);
    return file ? sendFragment(response, file, viewer.caching) : refuse(response, segmentNotFound);
  }

  async #waitFor(
    stream: LowLatencyStream,
    place: PlaylistPlace,
    { viewer, response }: { viewer: Viewer; response: ServerResponse },
  ): Promise<boolean> {
    const outcome = await this.#held.hold(response, {
      ip: viewer.ip,
      session: viewer.session,
      timeoutMs: holdTargets * stream.targetDurationMs,
      isMet: () => stream.hasReached(place),
      onChange: (callback) => stream.onReady(callback),
    });
    return sendErrorUnlessMet(outcome, response);
  }
}

/** Sends an error after an unsuccessful wait. Returns true after a successful wait. */
function sendErrorUnlessMet(outcome: HeldOutcome, response: ServerResponse): boolean {
  if (outcome === 'timeout' || outcome === 'full') {
    response.setHeader('Retry-After', '1');
    sendFailure(response, outcome === 'full' ? tooManyWait : notInTime);
  }
  return outcome === 'met';
}

function caching(stream: LowLatencyStream, { place }: DeliveryDirectives, { isOwn, caching: keptBy }: Viewer): string {
  if (isOwn) return 'no-cache';
  const seconds = stream.targetDurationMs / 1000;
  return `${keptBy}, max-age=${place && stream.isPublished ? cachedTargets * seconds : 1}`;
}

function refuse(response: ServerResponse, failure: Parameters<typeof sendFailure>[1]): 0 {
  sendFailure(response, failure);
  return 0;
}

const badDirective = {
  status: 400,
  name: 'delivery-directive-invalid',
  message: '_HLS_msn and _HLS_part must be decimal numbers, and _HLS_part requires _HLS_msn',
} as const;
const tooFarAhead = {
  status: 400,
  name: 'delivery-directive-too-far',
  message: 'the requested position is too far ahead of the playlist',
} as const;
const notInTime = {
  status: 503,
  name: 'media-not-in-time',
  message: 'the requested segment or part was not published in time',
} as const;
const tooManyWait = { status: 503, name: 'limit-reached', message: 'too many playlist requests are waiting' } as const;
const kicked = { status: 404, name: 'session-ended', message: 'this viewer was disconnected by the server' } as const;
