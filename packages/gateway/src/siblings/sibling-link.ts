// One other gateway of this node as this one sees it: which streams it has, kept by a connection that is made again whenever it
// breaks. A gateway that has ended loses its streams at once.
import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { createInterface } from 'node:readline';
import { type DatagramSource, type StreamKey, toStreamUrl } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type Announcement, endOfSnapshot, parseAnnouncement } from './announcement.ts';
import { writeDatagramFrame } from './datagram-frames.ts';
import { siblingCall, siblingPaths } from './sibling-paths.ts';

/** Pause between two attempts to reach a gateway that is away, milliseconds: one that was killed is back within a second. */
const retryMs = 200;
/** Connections for calls to one gateway: most are answered in a millisecond, but playlists and parts of 8,000 low-latency players wait. */
const maxSockets = 16_384;
/** Datagrams that wait for a gateway which does not take them, bytes: half a second of 30 Mbit/s. */
const maxWaitingDatagramBytes = 2 * 1024 * 1024;
/** Streams remembered of one gateway; beyond, it is asked for none of the rest. */
const maxStreams = 20_000;
/** A stream that has ended is still asked for there this long, milliseconds: the playlists of its last minute. */
const rememberedForMs = 120_000;
/** A call of a sibling that hangs is given up, milliseconds: longer than a playlist waits for its first segment. */
const callTimeoutMs = 10_000;

export interface SiblingLinkOptions {
  readonly index: number;
  /** Of the other gateway. */
  readonly socketPath: string;
  readonly log: Logger;
  readonly onBegin: (stream: Announcement) => void;
}

export class SiblingLink {
  readonly index: number;
  readonly #options: SiblingLinkOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets });
  readonly #streams = new Map<string, Announcement>();
  /** When streams ended that were there, monotonic milliseconds; oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  readonly #known = Promise.withResolvers<void>();
  #datagrams: ClientRequest | undefined;
  #listening: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: SiblingLinkOptions) {
    this.#options = options;
    this.index = options.index;
    this.#listen();
  }

  /** Resolves when it has told what it publishes, or is not there. Never rejects. */
  get whenKnown(): Promise<void> {
    return this.#known.promise;
  }

  publishedSince(key: StreamKey): number | undefined {
    return this.#streams.get(toStreamUrl(key))?.sinceMs;
  }

  /** Has it, or had it a moment ago. */
  knows(key: StreamKey): boolean {
    const url = toStreamUrl(key);
    const endedAtMs = this.#endedAtMs.get(url);
    return this.#streams.has(url) || (endedAtMs !== undefined && performance.now() - endedAtMs < rememberedForMs);
  }

  /** It has said that it no longer has the stream. */
  forget(key: StreamKey): void {
    this.#streams.delete(toStreamUrl(key));
  }

  /** Sends a call; the answer is for the caller to read or destroy. Rejects when the gateway is away or does not answer in time. */
  call(path: string, options: RequestOptions & { readonly body?: undefined } = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { socketPath } = this.#options;
      const call = request({ socketPath, path, agent: this.#agent, timeout: callTimeoutMs, ...options }, resolve);
      call.once('timeout', () => call.destroy(new Error('the other gateway does not answer')));
      call.once('error', reject);
      call.end();
    });
  }

  /** May be lost, as datagrams are: when the other gateway is away, or does not keep up. */
  sendDatagram(datagram: Buffer, remote: DatagramSource): void {
    this.#datagrams ??= this.#openDatagrams();
    const line = this.#datagrams;
    if (line.writableLength < maxWaitingDatagramBytes) line.write(writeDatagramFrame(datagram, remote));
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    this.#datagrams?.destroy();
    clearTimeout(this.#timer);
    this.#listening?.destroy();
    this.#agent.destroy();
    this.#streams.clear();
  }

  #openDatagrams(): ClientRequest {
    const { socketPath } = this.#options;
    const line = request({ socketPath, path: siblingCall(siblingPaths.datagrams), method: 'POST', agent: false });
    line.on('error', () => undefined);
    line.once('close', () => {
      if (this.#datagrams === line) this.#datagrams = undefined;
    });
    line.flushHeaders();
    return line;
  }

  #listen(): void {
    const { socketPath, log, index } = this.#options;
    const call = request({ socketPath, path: siblingCall(siblingPaths.announcements), agent: false });
    this.#listening = call;
    call.once('response', (response) => {
      log.debug({ gateway: index }, 'connected to another gateway');
      const lines = createInterface({ input: response });
      response.on('error', () => undefined);
      lines.on('error', () => undefined);
      lines.on('line', (line) => this.#handleLine(line));
    });
    call.on('error', () => undefined);
    call.once('close', () => this.#lose());
    call.end();
  }

  #handleLine(line: string): void {
    if (line === endOfSnapshot) this.#known.resolve();
    const told = parseAnnouncement(line);
    if (!told || this.#isClosed) return;
    const url = toStreamUrl(told);
    if (told.type === 'end') this.#end(url);
    else if (this.#streams.size < maxStreams) {
      this.#streams.set(url, told);
      this.#options.onBegin(told);
    }
  }

  #end(url: string): void {
    this.#streams.delete(url);
    const now = performance.now();
    this.#endedAtMs.delete(url);
    this.#endedAtMs.set(url, now);
    for (const [old, endedAtMs] of this.#endedAtMs) {
      if (now - endedAtMs < rememberedForMs && this.#endedAtMs.size <= maxStreams) break;
      this.#endedAtMs.delete(old);
    }
  }

  #lose(): void {
    this.#streams.clear();
    this.#endedAtMs.clear();
    this.#known.resolve();
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#listen(), retryMs);
  }
}
