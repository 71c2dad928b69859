// `/app/stream/master.m3u8` and, where there is low-latency HLS, `/app/stream/master.ll.m3u8`: one playlist that names all renditions
// of a stream (RFC 8216 §4.3.4), each by its playlist of that kind. Who may watch is judged here as
// for the stream itself; what there is to name, the control plane says, which also starts a ladder that runs on demand.
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

/** One answer serves all who ask for a stream for this long, milliseconds. */
const freshMs = 1_000;
/** What a page is told may be so old, milliseconds. */
const peekMs = 5_000;
/** While the control plane is away the last answer goes on counting for this long, milliseconds: an upgrade takes less. */
const keptMs = 60_000;
/** Streams whose answer is kept; the oldest is forgotten. */
const maxKept = 1_000;
/** A request waits this long for a ladder that starts, milliseconds: below every player's own timeout. */
const holdMs = 8_000;
/** Requests that wait at one time; beyond, they get what there is. */
const maxHeld = 4_096;
/** Bytes of the id of a viewer. */
const idBytes = 6;

export interface MultivariantDeps {
  readonly engine: Pick<Engine, 'isPublished'>;
  readonly review: (request: PlayRequest) => Verdict | Promise<Verdict>;
  /** Undefined while nobody can be asked. Never rejects. */
  readonly ask: (key: StreamKey, isPeek: boolean) => Promise<Multivariant | undefined>;
  /** Between two questions while a ladder starts, milliseconds; shorter for tests. */
  readonly everyMs?: number;
  /** False: playlists are made for caches, and no viewer has one of its own. */
  readonly hasContexts: () => boolean;
  /** Whether renditions have low-latency playlists. */
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
  /** The last answers that named something. */
  readonly #last = new Map<string, { atMs: number; answer: Multivariant }>();
  #held = 0;

  constructor(deps: MultivariantDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? (() => performance.now());
  }

  /**
   * False, without touching the response, when the path is no such playlist, the stream is not live, or has nothing but itself and
   * never had: then the engine answers. `ip`: of the viewer.
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
      refusePlay(response, { reason: 'control-plane-away', detail: 'the renditions of this stream are not there yet' });
      return true;
    }
    if (answer.state === 'none') return false;
    sendPlaylist(response, this.#text(answer.variants, { query, isLowLatency }), 'no-cache');
    return true;
  }

  /** Path of the playlist of a stream that is to be had in several sizes, for who only wants to know. Never rejects. */
  async pathOf({ app, stream }: { app: string; stream: string }): Promise<string | undefined> {
    const key = { vhost: defaultVhost, app, stream };
    if (!this.#deps.engine.isPublished(key)) return undefined;
    const name = `peek ${toStreamUrl(key)}`;
    const known = this.#kept.get(name);
    const isFresh = known !== undefined && this.#clock() - known.atMs < peekMs;
    const answer = isFresh ? await known.answer : await this.#ask(name, key, true);
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

  /** Waits while a ladder starts, as long as the viewer does. */
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
    const answer = isFresh ? await known.answer : await this.#ask(name, key);
    if (answer) {
      keep(this.#last, name, { atMs: this.#clock(), answer });
      return answer;
    }
    const last = this.#last.get(name);
    return last && this.#clock() - last.atMs < keptMs ? last.answer : undefined;
  }

  #ask(name: string, key: StreamKey, isPeek = false): Promise<Multivariant | undefined> {
    const atMs = this.#clock();
    const answer = this.#deps.ask(key, isPeek);
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

/** `/app/stream/master[.ll].m3u8`; the last part before the name is the stream. Undefined for every other target. */
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
 * Text of the playlist, RFC 8216 §4.3.4.2. What is not known is left out.
 * @param ending of every address behind the name of its stream, with the query: `.m3u8?a=b`.
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
