// Streams of one other gateway, received over a connection that is reopened when it breaks. When the other gateway ends, its streams are
// removed: on this node immediately, on another node some seconds after the last heartbeat.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createInterface } from 'node:readline';
import { type DatagramSource, type StreamKey, toStreamUrl } from '@srs-stack/engine';
import { connectionTrouble } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type Announcement, endOfSnapshot, parseAnnouncement } from './announcement.ts';
import type { CallTarget } from './call-target.ts';
import { writeDatagramFrame } from './datagram-frames.ts';
import { siblingCall, siblingPaths } from './sibling-paths.ts';

/** Delay before reconnecting to a gateway of this node, milliseconds. A killed gateway is restarted within a second. */
const retryMs = 200;
/** Delay before reconnecting to a gateway of another node, milliseconds. Longer, because another node may be down for long. */
const remoteRetryMs = 500;
/** A gateway of another node without a heartbeat for this time is unreachable, milliseconds. Heartbeats are sent every second. */
const remoteSilenceMs = 4_000;
/** Maximum size of datagrams queued for a gateway that does not read, bytes: half a second at 30 Mbit/s. */
const maxWaitingDatagramBytes = 2 * 1024 * 1024;
/** Maximum number of known streams per gateway. Further streams are not requested from this gateway. */
const maxStreams = 20_000;
/** Time for which an ended stream is still requested from its gateway, milliseconds. Viewers may still play the last minute. */
const rememberedForMs = 120_000;
/** Timeout of a call to another gateway, milliseconds. Longer than a playlist request waits for the first segment. */
const callTimeoutMs = 10_000;
/**
 * Timeout of the query whether a stream can be published, milliseconds. Without a response, the publisher is refused. Longer than the time
 * after which the other gateway ends a silent publisher (3 s), and longer than `remoteSilenceMs`.
 */
const publisherAnswerMs = 6_000;

/** Status of the response. `gone`: the stream or the gateway no longer exists. Undefined: no response arrived in time. */
export type PublisherResponse = number | 'gone' | undefined;

export interface SiblingLinkOptions {
  readonly target: CallTarget;
  readonly log: Logger;
  readonly onBegin: (stream: Announcement) => void;
}

export class SiblingLink {
  readonly target: CallTarget;
  readonly #options: SiblingLinkOptions;
  readonly #streams = new Map<string, Announcement>();
  /** End times of streams, monotonic milliseconds, oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  readonly #known = Promise.withResolvers<void>();
  #datagrams: ClientRequest | undefined;
  #listening: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Functions to call when the other gateway no longer has a stream, with the URL of the stream. */
  readonly #onGone = new Map<() => void, string>();
  /** Responses with streams that are pulled from the other gateway. Ended when the connection to the gateway is lost. */
  readonly #pulls = new Set<IncomingMessage>();
  #isConnected = false;
  #loggedTrouble = '';
  #isClosed = false;

  constructor(options: SiblingLinkOptions) {
    this.#options = options;
    this.target = options.target;
    this.#listen();
  }

  /** True while announcements of the gateway are received. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Resolves when the streams of the other gateway are known or the gateway is unreachable. Never rejects. */
  get whenKnown(): Promise<void> {
    return this.#known.promise;
  }

  publishedSince(key: StreamKey): number | undefined {
    return this.#streams.get(toStreamUrl(key))?.sinceMs;
  }

  /** Whether the other gateway has the stream, or had the stream recently. */
  knows(key: StreamKey): boolean {
    const url = toStreamUrl(key);
    const endedAtMs = this.#endedAtMs.get(url);
    return this.#streams.has(url) || (endedAtMs !== undefined && performance.now() - endedAtMs < rememberedForMs);
  }

  /**
   * Sends the call `path` (`sending` or `takeOver`) about the publisher of a stream. Resolves with the status of the response, or with
   * undefined if none arrives in time; callers then assume that the publisher is sending. Resolves with `gone` when the stream ends or the
   * connection for announcements is lost.
   */
  async askPublishing(path: string, key: StreamKey): Promise<PublisherResponse> {
    const url = toStreamUrl(key);
    const known = this.#streams.get(url);
    if (!known) return 'gone';
    const { promise, resolve } = Promise.withResolvers<PublisherResponse>();
    const onGone = (): void => resolve('gone');
    this.#onGone.set(onGone, url);
    const timer = setTimeout(() => resolve(undefined), publisherAnswerMs);
    const left = new AbortController();
    this.call(siblingCall(path, key), { method: 'POST', signal: left.signal }).then(
      (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode);
      },
      () => undefined,
    );
    const answer = await promise;
    clearTimeout(timer);
    this.#onGone.delete(onGone);
    if (typeof answer !== 'number') left.abort();
    // The other gateway has ended the publisher, and will announce the end. If a newer publisher was announced meanwhile, the stream stays.
    else if (path === siblingPaths.takeOver && answer === 200 && this.#streams.get(url) === known)
      this.#streams.delete(url);
    return answer;
  }

  /** Sends a call. The caller must read or destroy the response. Rejects when the gateway is unavailable or does not respond in time. */
  call(path: string, options: RequestOptions = {}, hasOwnConnection = false, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = this.target.request({ path, timeout: callTimeoutMs, ...options }, hasOwnConnection);
      call.once('response', resolve);
      call.once('timeout', () => call.destroy(new Error('the other gateway does not respond')));
      call.once('error', reject);
      call.end(body);
    });
  }

  /** Opens a connection that delivers the stream. Rejects when the other gateway is unavailable or no longer has the stream. */
  async pull(key: StreamKey): Promise<IncomingMessage> {
    const answer = await this.call(siblingCall(siblingPaths.stream, key), {}, true);
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new Error(`the other gateway responded with HTTP ${answer.statusCode}`);
    }
    // No timeout, because a publisher may be silent for longer than the timeout of a call.
    answer.socket.setTimeout(0);
    this.#pulls.add(answer);
    answer.once('close', () => this.#pulls.delete(answer));
    return answer;
  }

  /** Sends a datagram. The datagram is lost when the other gateway is unavailable or too slow. */
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
    this.target.close();
    for (const pull of this.#pulls) pull.destroy();
    this.#streams.clear();
  }

  #openDatagrams(): ClientRequest {
    const line = this.target.request({ path: siblingCall(siblingPaths.datagrams), method: 'POST' }, true);
    line.on('error', () => undefined);
    line.once('close', () => {
      if (this.#datagrams === line) this.#datagrams = undefined;
    });
    line.flushHeaders();
    return line;
  }

  #listen(): void {
    const { log } = this.#options;
    const { name, isRemote } = this.target;
    const call = this.target.request(
      { path: siblingCall(siblingPaths.announcements), ...(isRemote && { timeout: remoteSilenceMs }) },
      true,
    );
    this.#listening = call;
    call.once('timeout', () => call.destroy(new Error('the other gateway sent no heartbeat in time')));
    call.once('response', (response) => {
      this.#isConnected = true;
      this.#loggedTrouble = '';
      log.debug({ gateway: name }, 'connected to another gateway');
      const lines = createInterface({ input: response });
      response.on('error', () => undefined);
      lines.on('error', () => undefined);
      lines.on('line', (line) => this.#handleLine(line));
    });
    call.on('error', (error) => this.#logTrouble(error));
    call.once('close', () => this.#lose());
    call.end();
  }

  /** Logs that a gateway of another node is unreachable. For gateways of this node, the supervisor logs failures. */
  #logTrouble(error: Error): void {
    const { name: gateway, isRemote } = this.target;
    const reason = connectionTrouble(error);
    if (!isRemote || this.#isClosed || reason === this.#loggedTrouble) return;
    this.#loggedTrouble = reason;
    this.#options.log.warn({ gateway, reason }, 'a gateway of another node is unreachable');
  }

  #handleLine(line: string): void {
    if (line === endOfSnapshot) this.#known.resolve();
    const parsed = parseAnnouncement(line);
    if (!parsed || this.#isClosed) return;
    const url = toStreamUrl(parsed);
    if (parsed.type === 'end') this.#end(url);
    else if (this.#streams.size < maxStreams) {
      this.#streams.set(url, parsed);
      this.#options.onBegin(parsed);
    }
  }

  #end(url: string): void {
    this.#streams.delete(url);
    for (const [onGone, gone] of this.#onGone) if (gone === url) onGone();
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
    for (const onGone of this.#onGone.keys()) onGone();
    this.#endedAtMs.clear();
    this.#known.resolve();
    this.#isConnected = false;
    for (const pull of this.#pulls) pull.destroy();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => this.#listen(), this.target.isRemote ? remoteRetryMs : retryMs);
  }
}
