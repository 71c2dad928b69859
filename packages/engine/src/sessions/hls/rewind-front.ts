// Serves the rewind window: its playlist, a range of it, and the images of the seek bar. `FileFront` sends its segments. The caller has
// authorized the request.
import type { ServerResponse } from 'node:http';
import type { RewindSegment } from '@srs-stack/playback/rewind/rewind-names.ts';
import { type Bandwidth, toMasterText } from '../../egress/hls/live-playlist.ts';
import { parseRange, type RewindRange } from '../../egress/rewind/rewind-moment.ts';
import type { RewindOutput } from '../../egress/rewind/rewind-output.ts';
import type { RewindStream } from '../../egress/rewind/rewind-stream.ts';
import type { StoryboardImages } from '../../egress/rewind/storyboard-images.ts';
import { sendFailure } from '../http/http-responses.ts';
import type { MediaPath } from '../http/media-path.ts';
import { parseDeliveryDirectives } from './delivery-directives.ts';
import { type DiskFile, segmentNotFound, sendImage, sendRetryLater, sendStoryboard } from './hls-responses.ts';

/** Cache time of the image list, seconds. The list changes with the window. */
const storyboardCachingSeconds = 5;

export interface RewindFrontOptions {
  readonly output: RewindOutput;
  readonly images: StoryboardImages;
  /** Published media that HLS cannot carry; undefined if none. */
  readonly unsupportedMedia: (key: MediaPath) => string | undefined;
}

/** The requested range of a window, with the interface of live playlists. */
export interface RewindView {
  readonly key: RewindStream['key'];
  /** True while the window is kept, even after the end of the stream. */
  readonly isPublished: boolean;
  readonly hasSegments: boolean;
  readonly unsupportedMedia: string | undefined;
  readonly targetDurationMs: number;
  onReady(callback: () => void): () => void;
  masterText(mediaUrl: string): string;
  /** Undefined: the requested range is no longer kept. */
  rewindBody(query: string): Buffer | undefined;
}

export class RewindFront {
  readonly #options: RewindFrontOptions;

  constructor(options: RewindFrontOptions) {
    this.#options = options;
  }

  /** The requested range. Undefined if the stream has no window, or after sending an error. @param query query of the request. */
  async viewOf(key: MediaPath, query: string, response: ServerResponse): Promise<RewindView | undefined> {
    const range = parseRange(query);
    const directives = parseDeliveryDirectives(query);
    if (range === 'invalid' || !directives) return refuse(response, momentInvalid);
    const stream = await this.#options.output.find(key);
    if (!stream) return undefined;
    const isEmpty = stream.window.segments.length === 0;
    if (range !== 'whole' && !isEmpty && !isKept(stream, range)) return refuse(response, notKept(stream));
    return toView(stream, {
      range,
      isDelta: directives.isDelta,
      unsupportedMedia: isEmpty ? this.#options.unsupportedMedia(key) : undefined,
    });
  }

  segmentPath(key: MediaPath, segment: RewindSegment): string {
    return this.#options.output.files.segmentPath(key, segment);
  }

  isRewound(key: MediaPath): boolean {
    return this.#options.output.isRewound(key);
  }

  /** @param query authorizes the images; with its question mark, or ''. */
  async serveStoryboard(key: MediaPath, query: string, response: ServerResponse): Promise<void> {
    const stream = await this.#options.output.find(key);
    if (response.destroyed) return;
    if (!stream) {
      refuse(response, noWindow);
      return;
    }
    const keptBy = query === '' ? 'public' : 'private';
    sendStoryboard(response, stream.storyboard(query), `${keptBy}, max-age=${storyboardCachingSeconds}`);
  }

  async serveImage(
    key: MediaPath,
    startMs: number,
    exchange: { response: ServerResponse; fileAt: (path: string) => DiskFile },
  ): Promise<void> {
    const { output, images } = this.#options;
    const { response, fileAt } = exchange;
    const segment = (await output.find(key))?.window.startingAt(startMs);
    const { files } = output;
    const found = segment && (await images.find(files.segmentPath(key, segment), files.imagePath(key, startMs)));
    if (response.destroyed) return;
    if (found === undefined || found === 'none') refuse(response, segmentNotFound);
    else if (found === 'busy') sendRetryLater(response, 'too many images are requested at the same time');
    else await sendImage(response, fileAt(found.path));
  }
}

interface ViewTerms {
  readonly range: RewindRange | 'whole';
  readonly isDelta: boolean;
  readonly unsupportedMedia: string | undefined;
}

function toView(stream: RewindStream, { range, isDelta, unsupportedMedia }: ViewTerms): RewindView {
  const { window, key, targetDurationMs } = stream;
  return {
    ...{ key, unsupportedMedia, targetDurationMs },
    get isPublished() {
      return stream.isPublished || window.segments.length > 0;
    },
    get hasSegments() {
      return window.segments.length > 0;
    },
    onReady: (callback) => stream.onReady(callback),
    masterText: (mediaUrl) => toMasterText(mediaUrl, bandwidthOf(window.segments)),
    rewindBody: (query) => (range === 'whole' ? stream.playlistBody(query, isDelta) : stream.pieceBody(range, query)),
  };
}

function isKept({ window }: RewindStream, { fromMs, toMs }: RewindRange): boolean {
  return fromMs < window.endMs! && toMs > window.startMs! && window.between({ fromMs, toMs }).length > 0;
}

/** RFC 8216 §4.3.4.2. */
function bandwidthOf(segments: readonly RewindSegment[]): Bandwidth {
  const rateOf = (bytes: number, ms: number): number => Math.max(1, Math.ceil((bytes * 8_000) / Math.max(1, ms)));
  let [sizeBytes, durationMs, peak] = [0, 0, 1];
  for (const segment of segments) {
    sizeBytes += segment.sizeBytes;
    durationMs += segment.durationMs;
    peak = Math.max(peak, rateOf(segment.sizeBytes, segment.durationMs));
  }
  return { peak, average: rateOf(sizeBytes, durationMs) };
}

function refuse(response: ServerResponse, failure: Parameters<typeof sendFailure>[1]): undefined {
  if (!response.destroyed) sendFailure(response, failure);
  return undefined;
}

const momentInvalid = {
  status: 400,
  name: 'moment-invalid',
  message: 'from and to must be times such as 2026-05-01T12:00:00Z or Unix seconds, and from must be before to',
} as const;
export const noWindow = {
  status: 404,
  name: 'rewind-not-kept',
  message: 'this stream has no rewind window',
} as const;

function notKept({ window }: RewindStream): Parameters<typeof sendFailure>[1] {
  const [from, to] = [window.startMs!, window.endMs!].map((ms) => new Date(ms).toISOString());
  return {
    status: 404,
    name: 'moment-not-kept',
    message: `the requested range is not in the rewind window, which is from ${from} to ${to}`,
  };
}
