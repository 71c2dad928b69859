// Responses of another node that many viewers share: HLS segments and public playlists. Each response is fetched once, even for concurrent
// requests, and kept as long as its Cache-Control allows (RFC 9111 §4.2.1). The request contains no credentials of a viewer, and is made
// only if the last response was public. Unauthorized viewers therefore get nothing.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Maximum size of all responses, cached or being fetched, bytes. For 50 streams at 1 Mbit/s, one segment of ten seconds each. */
const maxMemoryBytes = 64 * 1024 * 1024;
/** Maximum size of one response, bytes. A larger response is forwarded without being cached. */
const maxResponseBytes = 16 * 1024 * 1024;
/** Longest cache time of a segment, milliseconds. The response allows ten minutes, but playlists list a segment for about one minute. */
const maxKeptMs = 90_000;
/**
 * Cache time of the response to a blocking playlist request, milliseconds. All players send such a request simultaneously, and only once.
 */
const heldKeptMs = 1_000;
/** Maximum number of groups of requests that are known to have public responses. */
const maxOpen = 10_000;

/** Paths of HLS media: segments `<stream>-<numbers>.ts`, and low-latency segments and parts `<stream>.ll.<run>.<number>.m4s`. */
const segment = /(?:-[\d-]+\.ts|\.ll\.[0-9a-z]+\.[pi]?\d+\.m4s)$/;
const part = /\.m4s$/;
const playlist = /\.m3u8$/;
/**
 * A blocking request for a low-latency playlist, as players write it (RFC 8216bis §6.2.5). With other parameters, the response could depend
 * on the viewer.
 */
const heldPlaylist = /^([^?]*\.ll\.m3u8)\?_HLS_msn=\d{1,12}(?:&_HLS_part=\d{1,12})?(?:&_HLS_skip=(?:YES|v2))?$/;

/** A response with status 200. */
export interface SharedResponse {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Kept {
  readonly answer: SharedResponse;
  readonly untilMs: number;
}

export class SharedResponses {
  readonly #kept = new Map<string, Kept>();
  readonly #coming = new Map<string, Promise<SharedResponse | undefined>>();
  /** Groups of requests (see `placeOf`) whose last response was public. */
  readonly #open = new Set<string>();
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Total size of all responses, cached or being fetched, bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Cache key of the request, which is also the URL to fetch. Undefined when the response may depend on the viewer.
   * @param isRemote whether the gateway is on another node. On this node, segments are in a shared folder and playlists are fast.
   */
  keyOf(method: string, url: string, isRemote: boolean): string | undefined {
    if (!isRemote && !part.test(pathOf(url)) && !heldPlaylist.test(url)) return undefined;
    // A request with a credential is not shared, because the other node must authorize it.
    const place = method === 'GET' && !/[?&]watch=/.test(url) ? placeOf(url) : undefined;
    return place !== undefined && this.#open.has(place) ? keyOfPlace(url) : undefined;
  }

  learn(url: string, { statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>): void {
    const place = placeOf(url);
    if (place === undefined) return;
    this.#open.delete(place);
    if (statusCode !== 200 || freshMs(headers) === 0) return;
    this.#open.add(place);
    const oldest = this.#open.values().next().value;
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest);
  }

  /**
   * Returns a cached response or the result of `fetch`, which concurrent requests share. Undefined for a response that is not public or not
   * cacheable; each viewer must then send a separate request. Rejects as `fetch` does.
   */
  async get(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedResponse | undefined> {
    const kept = this.#kept.get(key);
    if (kept && kept.untilMs > this.#nowMs()) return kept.answer;
    if (kept) this.#remove(key, kept);
    const coming = this.#coming.get(key) ?? this.#fetch(key, fetch);
    return coming;
  }

  #fetch(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedResponse | undefined> {
    const coming = this.#take(key, fetch).finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  async #take(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedResponse | undefined> {
    const answer = await fetch();
    this.learn(key, answer);
    const longestMs = heldPlaylist.test(key) ? heldKeptMs : maxKeptMs;
    const lifeMs = answer.statusCode === 200 ? Math.min(freshMs(answer.headers), longestMs) : 0;
    const sizeBytes = Number(answer.headers['content-length'] ?? Number.NaN);
    if (lifeMs === 0 || !(sizeBytes <= maxResponseBytes) || !this.#makeRoom(sizeBytes)) {
      answer.destroy();
      return undefined;
    }
    this.#bytes += sizeBytes;
    try {
      const taken = { headers: answer.headers, body: await bodyOf(answer, sizeBytes) };
      this.#bytes += sizeBytes;
      this.#kept.set(key, { answer: taken, untilMs: this.#nowMs() + lifeMs });
      return taken;
    } finally {
      this.#bytes -= sizeBytes;
    }
  }

  /** Removes expired entries, then the oldest entries, until `sizeBytes` fit. Returns false when they do not fit. */
  #makeRoom(sizeBytes: number): boolean {
    const nowMs = this.#nowMs();
    for (const [key, kept] of this.#kept) if (kept.untilMs <= nowMs) this.#remove(key, kept);
    for (const [key, kept] of this.#kept) {
      if (this.#bytes + sizeBytes <= maxMemoryBytes) break;
      this.#remove(key, kept);
    }
    return this.#bytes + sizeBytes <= maxMemoryBytes;
  }

  #remove(key: string, { answer }: Kept): void {
    if (this.#kept.delete(key)) this.#bytes -= answer.body.length;
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? '';

const keyOfPlace = (url: string): string => (heldPlaylist.test(url) ? url : pathOf(url));

/** Group of requests with equal visibility: all segments of a stream, or all public requests for one playlist. */
function placeOf(url: string): string | undefined {
  const path = pathOf(url);
  if (segment.test(path)) return path.replace(segment, '');
  return playlist.test(url) || heldPlaylist.test(url) ? path : undefined;
}

/** Cache time of a public response, milliseconds. */
function freshMs({ 'cache-control': text = '' }: IncomingHttpHeaders): number {
  const seconds = /\bmax-age=(\d{1,9})\b/.exec(text)?.[1];
  return /\bpublic\b/.test(text) && !/\bno-(?:cache|store)\b/.test(text) ? Number(seconds ?? 0) * 1_000 : 0;
}

async function bodyOf(answer: IncomingMessage, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (body.length !== sizeBytes) throw new Error('the response of the other node is not complete');
  return body;
}
