// Pulls a live HLS stream: reloads its playlist, downloads segments in order, and passes on their MPEG-TS. Supports only whole, unencrypted
// MPEG-TS segments; FFmpeg reads other sources.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { type HlsMediaPlaylist, parseHlsPlaylist } from '@srs-stack/media/protocols/hls/hls-playlist.ts';
import { type NextSegment, PlaylistPosition } from '@srs-stack/media/protocols/hls/playlist-position.ts';
import { bestVariant } from '@srs-stack/media/protocols/hls/variant-choice.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import { HttpClient, type HttpClientOptions, HttpFailure } from './http-client.ts';
import type { PullFailure } from './pull-status.ts';
import type { TsTransport, TsTransportEvents } from './ts-transport.ts';

/** Largest playlist, bytes: ten hours of segments of 2 s. Parsing takes at most 0.1 s. */
const maxPlaylistBytes = 1024 * 1024;
/** Largest segment, bytes: a minute of 30 Mbit/s. */
const maxSegmentBytes = 256 * 1024 * 1024;
/** The attempt ends after this number of consecutive failed requests. Before the stream is published, one failure ends it. */
const maxFailures = 3;
/** Minimum interval of playlist requests, milliseconds. */
const minReloadMs = 500;
/** A source without media for this time has stalled: milliseconds, or target durations if that is longer. */
const minStallMs = 15_000;
const stallDurations = 4;
/** Media is passed on faster when more segments are unread. A client starts with this number of segments. */
const normalSegments = 3;

export class HlsTransport implements TsTransport {
  readonly type = 'hls-publish';
  readonly isPaced = true;
  readonly lostPackets = 0;
  limits = { mediaMs: 30_000, stallMs: minStallMs };
  readonly #client: HttpClient;
  readonly #events: TsTransportEvents;
  readonly #closed = new AbortController();
  readonly #position = new PlaylistPosition();
  /** URL of the media playlist; before it is known, URL of the source. */
  #url: URL;
  #hasPublished = false;
  #failures = 0;

  constructor(options: HttpClientOptions, events: TsTransportEvents) {
    this.#client = new HttpClient(options);
    this.#events = events;
    this.#url = new URL(options.address);
    // Removes user and password from logged URLs; the HTTP client keeps them.
    this.#url.username = '';
    this.#url.password = '';
    this.#play().catch((error: unknown) => this.#fail(failureOf(error)));
  }

  get isBehind(): boolean {
    return this.#position.unreadSegments > normalSegments;
  }

  tick(): void {}

  close(): void {
    this.#closed.abort();
    this.#client.close();
  }

  async #play(): Promise<void> {
    this.#load(await this.#findMediaPlaylist());
    let loadedAtMs = performance.now();
    while (!this.#closed.signal.aborted) {
      const next = this.#position.take();
      if (next) await this.#tolerate(() => this.#passOn(next));
      if (this.#position.hasEnded) {
        if (this.#position.unreadSegments === 0) return await this.#finish();
        continue;
      }
      const leftMs = loadedAtMs + Math.max(this.#position.reloadMs, minReloadMs) - performance.now();
      if (leftMs > 0 && this.#position.unreadSegments > 0) continue;
      if (leftMs > 0) await sleep(leftMs, undefined, { signal: this.#closed.signal });
      loadedAtMs = performance.now();
      await this.#tolerate(async () => this.#load(await this.#mediaPlaylist(this.#url)));
    }
  }

  async #findMediaPlaylist(): Promise<HlsMediaPlaylist> {
    const first = await this.#playlist(this.#url);
    if (first.kind === 'media') return first;
    const variant = bestVariant(first);
    if (first.separateAudio.has(variant.audioGroup)) throw needsFfmpeg('separate audio playlists');
    return this.#mediaPlaylist(resolved(variant.uri, this.#url));
  }

  async #mediaPlaylist(url: URL): Promise<HlsMediaPlaylist> {
    const playlist = await this.#playlist(url);
    if (playlist.kind === 'media') return playlist;
    throw invalid('a variant of the multivariant playlist is not a media playlist');
  }

  async #playlist(from: URL) {
    const { response, url } = await this.#client.get(from);
    this.#url = url;
    return parseHlsPlaylist((await readWhole(response, maxPlaylistBytes)).toString('utf8'));
  }

  #load(playlist: HlsMediaPlaylist): void {
    if (playlist.feature !== '') throw needsFfmpeg(playlist.feature);
    this.#position.load(playlist);
    this.limits = { ...this.limits, stallMs: Math.max(minStallMs, playlist.targetDurationMs * stallDurations) };
  }

  async #passOn({ segment, isBreak }: NextSegment): Promise<void> {
    const { response, ip } = await this.#client.get(resolved(segment.uri, this.#url));
    this.#hasPublished ||= await this.#events.onConnected(ip);
    if (!this.#hasPublished) {
      response.destroy();
      this.#closed.abort();
      return;
    }
    if (isBreak) this.#events.onRestart();
    let [bytes, isFirst] = [0, true];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (isFirst) refuseOtherFormats(chunk);
      isFirst = false;
      bytes += chunk.length;
      if (bytes > maxSegmentBytes) throw invalid(`a segment is larger than ${maxSegmentBytes} bytes`);
      this.#events.onPayload(chunk);
      await this.#events.hasRoom();
    }
  }

  /** Tolerates occasional failures. The media of a failed segment is missing. */
  async #tolerate(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failures = 0;
    } catch (error) {
      const { reason } = failureOf(error);
      const isFinal = reason === 'codec-unsupported' || reason === 'address-refused' || !this.#hasPublished;
      this.#failures++;
      if (isFinal || this.#failures >= maxFailures || this.#closed.signal.aborted) throw error;
      this.#position.markBreak();
      await sleep(minReloadMs, undefined, { signal: this.#closed.signal });
    }
  }

  /** Plays the downloaded media before the stream ends. */
  async #finish(): Promise<void> {
    this.#events.onRestart();
    await this.#events.isPassedOn();
    this.#fail({ reason: 'connection-closed', detail: 'the source playlist has ended', fault: 'playlist-ended' });
  }

  #fail(failure: PullFailure): void {
    if (!this.#closed.signal.aborted) this.#events.onFailed(failure);
  }
}

/** Reads the whole body; rejects if it exceeds `maxBytes`. */
async function readWhole(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw invalid(`the playlist is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Refuses packed audio (RFC 8216 §3.4), which is not MPEG-TS. */
function refuseOtherFormats(chunk: Buffer): void {
  const isPackedAudio =
    chunk.toString('latin1', 0, 3) === 'ID3' || (chunk.length > 1 && (chunk.readUInt16BE(0) & 0xfff0) === 0xfff0);
  if (isPackedAudio) throw needsFfmpeg('packed audio');
}

function resolved(uri: string, base: URL): URL {
  const url = URL.parse(uri, base.href);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw invalid('the playlist has an address that is not HTTP');
}

function needsFfmpeg(subject: string): HttpFailure {
  const detail = `the source uses ${subject}, which only FFmpeg supports`;
  return new HttpFailure({ reason: 'codec-unsupported', detail, fault: 'needs-ffmpeg', subject });
}

function invalid(detail: string): HttpFailure {
  return new HttpFailure({ reason: 'input-invalid', detail, fault: 'playlist-invalid' });
}

function failureOf(error: unknown): PullFailure {
  if (error instanceof HttpFailure) return error.failure;
  if (error instanceof ProtocolError)
    return { reason: 'input-invalid', detail: error.reason, fault: 'playlist-invalid' };
  return failureOfError(error);
}
