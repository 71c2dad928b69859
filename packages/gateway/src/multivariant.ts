// Serves `/app/stream/master.m3u8` and, with low-latency HLS, `/app/stream/master.ll.m3u8`: a master playlist of all renditions of a stream
// (RFC 8216 §4.3.4). Viewers are authorized as for the stream. The control plane lists the renditions and starts an on-demand ladder.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidAppName, isValidStreamName } from '@srs-stack/contract/stream-name.ts';
import type { Multivariant, Variant } from '@srs-stack/contract/wire/multivariant.ts';
import {
  defaultVhost,
  type Engine,
  lowLatencySuffix,
  type PlayRequest,
  refusePlay,
  type StreamKey,
  sendPlaylist,
  toStreamUrl,
  type Verdict,
  variantQuery,
} from '@srs-stack/engine';

/** Cache time of the control plane's response, milliseconds. All viewers of a stream share the response. */
const freshMs = 1_000;
/** Maximum age of a response that a watch page may use, milliseconds. */
const peekMs = 5_000;
/** Time for which the last response is used while the control plane is unavailable, milliseconds. An upgrade takes less. */
const keptMs = 60_000;
/** Maximum number of streams with a cached response. The oldest entry is removed first. */
const maxKept = 1_000;
/** Longest wait of a request for a starting ladder, milliseconds. Shorter than the timeouts of players. */
const holdMs = 8_000;
/** Maximum number of waiting requests. Above this number, a request gets the available renditions. */
const maxHeld = 4_096;
/** Length of a viewer id, bytes. */
const idBytes = 6;

export interface MultivariantDeps {
  readonly engine: Pick<Engine, 'isPublished'>;
  readonly review: (request: PlayRequest) => Verdict | Promise<Verdict>;
  /** Undefined without a valid response of the control plane. Never rejects. */
  readonly query: (key: StreamKey, isPeek: boolean) => Promise<Multivariant | undefined>;
  /** Delay between queries while a ladder starts, milliseconds. Shortened in tests. */
  readonly everyMs?: number;
  /** False: viewers get no session id, so that a playlist is equal for all viewers. */
  readonly hasContexts: () => boolean;
  readonly hasLowLatency: () => boolean;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

interface Kept {
  readonly atMs: number;
  readonly answer: Promise<Multivariant | undefined>;
}

export class MultivariantPlaylists {
  readonly #deps: MultivariantDeps;
  readonly #clock: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #last = new Map<string, { atMs: number; answer: Multivariant }>();
  #held = 0;

  constructor(deps: MultivariantDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? (() => performance.now());
  }

  /**
   * Serves a master playlist. Returns false for other requests, for a stream that is not live, and for a stream without renditions.
   * After false, the response is unchanged and the engine handles the request. `ip`: address of the viewer.
   */
  async handle(request: IncomingMessage, response: ServerResponse, ip: string): Promise<boolean> {
    const path = parseMasterPath(request.url ?? '');
    if (!path || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
    const { key, query, isLowLatency } = path;
    const { engine, review, hasLowLatency } = this.#deps;
    if (isLowLatency && !hasLowLatency()) return false;
    const isName = ['master', `master${lowLatencySuffix}`].some((stream) =>
      engine.isPublished({ ...key, app: `${key.app}/${key.stream}`, stream }),
    );
    if (isName || !engine.isPublished(key)) return false;
    const pageUrl = request.headers.referer ?? '';
    const verdict = await review({ ...key, ip, param: query, pageUrl, isSegment: false });
    if (response.destroyed) return true;
    if (!verdict.allowed) {
      refusePlay(response, verdict);
      return true;
    }
    const answer = await this.#answerFor(key, response);
    if (response.destroyed) return true;
    if (answer === 'away' || (answer.state !== 'none' && answer.variants.length === 0)) {
      response.setHeader('Retry-After', '1');
      refusePlay(response, { reason: 'control-plane-away', detail: 'the renditions of this stream are not ready' });
      return true;
    }
    if (answer.state === 'none') return false;
    sendPlaylist(response, this.#text(answer.variants, { query, isLowLatency }), 'no-cache');
    return true;
  }

  /** Path of the master playlist of a stream with renditions. Does not start a ladder. Never rejects. */
  async pathOf({ app, stream }: { app: string; stream: string }): Promise<string | undefined> {
    const key = { vhost: defaultVhost, app, stream };
    if (!this.#deps.engine.isPublished(key)) return undefined;
    const name = `peek ${toStreamUrl(key)}`;
    const known = this.#kept.get(name);
    const isFresh = known !== undefined && this.#clock() - known.atMs < peekMs;
    const answer = isFresh ? await known.answer : await this.#queryLadder(name, key, true);
    return answer?.state === 'ready'
      ? `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}/master.m3u8`
      : undefined;
  }

  #text(variants: readonly Variant[], { query, isLowLatency }: { query: string; isLowLatency: boolean }): string {
    const others = query.replace(/^\?/, '');
    const id = randomBytes(idBytes).toString('hex');
    const suffix = this.#deps.hasContexts() ? variantQuery(id, others) : others && `?${others}`;
    return writeMultivariant(variants, `${isLowLatency ? lowLatencySuffix : ''}.m3u8${suffix}`);
  }

  /** Waits until a starting ladder has started or the viewer disconnects, at most `holdMs`. */
  async #answerFor(key: StreamKey, response: ServerResponse): Promise<Multivariant | 'away'> {
    const untilMs = this.#clock() + holdMs;
    for (;;) {
      const answer = await this.#latest(key);
      const mayWait = answer?.state === 'starting' && this.#clock() < untilMs && this.#held < maxHeld;
      if (!mayWait || response.destroyed) return answer ?? 'away';
      this.#held++;
      await new Promise((resolve) => setTimeout(resolve, this.#deps.everyMs ?? freshMs));
      this.#held--;
    }
  }

  async #latest(key: StreamKey): Promise<Multivariant | undefined> {
    const name = toStreamUrl(key);
    const known = this.#kept.get(name);
    const isFresh = known !== undefined && this.#clock() - known.atMs < (this.#deps.everyMs ?? freshMs);
    const answer = isFresh ? await known.answer : await this.#queryLadder(name, key);
    if (answer) {
      keep(this.#last, name, { atMs: this.#clock(), answer });
      return answer;
    }
    const last = this.#last.get(name);
    return last && this.#clock() - last.atMs < keptMs ? last.answer : undefined;
  }

  #queryLadder(name: string, key: StreamKey, isPeek = false): Promise<Multivariant | undefined> {
    const atMs = this.#clock();
    const answer = this.#deps.query(key, isPeek);
    keep(this.#kept, name, { atMs, answer });
    return answer;
  }
}

function keep<T>(table: Map<string, T>, name: string, value: T): void {
  table.delete(name);
  table.set(name, value);
  const oldest = table.keys().next().value;
  if (table.size > maxKept && oldest !== undefined) table.delete(oldest);
}

interface MasterPath {
  readonly key: StreamKey;
  readonly query: string;
  readonly isLowLatency: boolean;
}

/** Parses `/app/stream/master[.ll].m3u8`. Undefined for all other targets. */
export function parseMasterPath(target: string): MasterPath | undefined {
  const at = target.indexOf('?');
  const match = /^\/(.+)\/([^/]+)\/master(\.ll)?\.m3u8$/.exec(at < 0 ? target : target.slice(0, at));
  if (!match) return undefined;
  try {
    const [app, stream] = [decodeURIComponent(match[1]!), decodeURIComponent(match[2]!)];
    if (!isValidAppName(app) || !isValidStreamName(stream)) return undefined;
    const isLowLatency = match[3] !== undefined;
    return { key: { vhost: defaultVhost, app, stream }, query: at < 0 ? '' : target.slice(at), isLowLatency };
  } catch {
    return undefined;
  }
}

/**
 * Text of the playlist (RFC 8216 §4.3.4.2). Unknown resolutions, frame rates and codecs are omitted.
 * @param ending what follows the stream name in every URL, such as `.m3u8?a=b`.
 */
export function writeMultivariant(variants: readonly Variant[], ending: string): string {
  const lines = variants.flatMap(({ stream, peakBps, averageBps, width, height, fps, codecs }) => {
    const attributes = [
      `BANDWIDTH=${Math.max(1, Math.ceil(peakBps))}`,
      `AVERAGE-BANDWIDTH=${Math.max(1, Math.ceil(averageBps))}`,
      ...(width > 0 && height > 0 ? [`RESOLUTION=${width}x${height}`] : []),
      ...(fps > 0 ? [`FRAME-RATE=${fps.toFixed(3)}`] : []),
      ...(/^[\w.,]+$/.test(codecs) ? [`CODECS="${codecs}"`] : []),
    ];
    return [`#EXT-X-STREAM-INF:${attributes.join(',')}`, `../${encodeURIComponent(stream)}${ending}`];
  });
  return `${['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-INDEPENDENT-SEGMENTS', ...lines].join('\n')}\n`;
}
