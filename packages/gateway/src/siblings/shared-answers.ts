// Answers of another node that many viewers here ask for: HLS segments, and playlists that are the same for everybody. Each is
// fetched once, however many ask at the same time, and kept for as long as its Cache-Control allows (RFC 9111 §4.2.1). It is fetched
// without anything that a viewer has shown, and only where the last answer was public: who may not watch gets nothing of it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** All answers together, kept and on their way, bytes: some 60 segments of ten seconds at 1 Mbit/s, of 50 streams at once. */
const maxMemoryBytes = 64 * 1024 * 1024;
/** One answer, bytes; a larger one is passed on without being kept. */
const maxAnswerBytes = 16 * 1024 * 1024;
/** Segments may be cached for ten minutes, but leave the playlist after one: nobody asks for them later, milliseconds. */
const maxKeptMs = 90_000;
/** A place in a playlist is asked for by all players at the same time, and not again, milliseconds. */
const heldKeptMs = 1_000;
/** Playlists and streams whose answers were the same for everybody. */
const maxOpen = 10_000;

/** Media of HLS: segments `<stream>-<numbers>.ts`, and of low latency `<stream>.ll.<run>.<number>.m4s`, in parts too. */
const segment = /(?:-[\d-]+\.ts|\.ll\.[0-9a-z]+\.[pi]?\d+\.m4s)$/;
const part = /\.m4s$/;
const playlist = /\.m3u8$/;
/**
 * A low-latency playlist that is asked for in these words alone, as players write them (RFC 8216bis §6.2.5), is the same for everybody
 * who asks for the same place.
 */
const heldPlaylist = /^([^?]*\.ll\.m3u8)\?_HLS_msn=\d{1,12}(?:&_HLS_part=\d{1,12})?(?:&_HLS_skip=(?:YES|v2))?$/;

/** With status 200. */
export interface SharedAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Kept {
  readonly answer: SharedAnswer;
  readonly untilMs: number;
}

export class SharedAnswers {
  readonly #kept = new Map<string, Kept>();
  readonly #coming = new Map<string, Promise<SharedAnswer | undefined>>();
  /** Playlists, and streams by their segments, that everybody could have when they were asked for last. */
  readonly #open = new Set<string>();
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Bytes that are kept or on their way. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * What the request is kept under, which is also what is fetched; undefined when its answer may be for one viewer.
   * @param isRemote of a gateway of another node: on one node segments lie in a folder that all read, and lists are made at once.
   */
  keyOf(method: string, url: string, isRemote: boolean): string | undefined {
    if (!isRemote && !part.test(pathOf(url)) && !heldPlaylist.test(url)) return undefined;
    // Whoever shows a right to watch is judged by the other node too.
    const place = method === 'GET' && !/[?&]watch=/.test(url) ? placeOf(url) : undefined;
    return place !== undefined && this.#open.has(place) ? keyOfPlace(url) : undefined;
  }

  /** Takes note whether everybody could have the answer to this request. */
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
   * The answer that is kept or on its way, or that `fetch` brings. Undefined when it is not for everybody, or cannot be kept:
   * every viewer asks for itself. Rejects as `fetch` does.
   */
  async get(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedAnswer | undefined> {
    const kept = this.#kept.get(key);
    if (kept && kept.untilMs > this.#nowMs()) return kept.answer;
    if (kept) this.#remove(key, kept);
    const coming = this.#coming.get(key) ?? this.#fetch(key, fetch);
    return coming;
  }

  #fetch(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedAnswer | undefined> {
    const coming = this.#take(key, fetch).finally(() => this.#coming.delete(key));
    this.#coming.set(key, coming);
    return coming;
  }

  async #take(key: string, fetch: () => Promise<IncomingMessage>): Promise<SharedAnswer | undefined> {
    const answer = await fetch();
    this.learn(key, answer);
    const longestMs = heldPlaylist.test(key) ? heldKeptMs : maxKeptMs;
    const lifeMs = answer.statusCode === 200 ? Math.min(freshMs(answer.headers), longestMs) : 0;
    const sizeBytes = Number(answer.headers['content-length'] ?? Number.NaN);
    if (lifeMs === 0 || !(sizeBytes <= maxAnswerBytes) || !this.#makeRoom(sizeBytes)) {
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

  /** Removes what is over, then the oldest. */
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

/** Whose answers are alike: the segments of one stream, or one playlist that is asked for without a query, or for a place in it. */
function placeOf(url: string): string | undefined {
  const path = pathOf(url);
  if (segment.test(path)) return path.replace(segment, '');
  return playlist.test(url) || heldPlaylist.test(url) ? path : undefined;
}

/** How long everybody may be given it, milliseconds. */
function freshMs({ 'cache-control': text = '' }: IncomingHttpHeaders): number {
  const seconds = /\bmax-age=(\d{1,9})\b/.exec(text)?.[1];
  return /\bpublic\b/.test(text) && !/\bno-(?:cache|store)\b/.test(text) ? Number(seconds ?? 0) * 1_000 : 0;
}

async function bodyOf(answer: IncomingMessage, sizeBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (body.length !== sizeBytes) throw new Error('the answer of the other node is not complete');
  return body;
}
