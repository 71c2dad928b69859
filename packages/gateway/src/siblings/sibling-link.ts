// One other gateway as this one sees it: which streams it has, kept by a connection that is made again whenever it breaks. A
// gateway that has ended loses its streams at once; one on another node that is silent, after some seconds.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { createInterface } from 'node:readline';
import { type DatagramSource, type StreamKey, toStreamUrl } from '@srs-stack/engine';
import { connectionTrouble } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { type Announcement, endOfSnapshot, parseAnnouncement } from './announcement.ts';
import type { CallTarget } from './call-target.ts';
import { writeDatagramFrame } from './datagram-frames.ts';
import { siblingCall, siblingPaths } from './sibling-paths.ts';

/** Pause between two attempts to reach a gateway that is away, milliseconds: one that was killed is back within a second. */
const retryMs = 200;
/** … and of one on another node, milliseconds: it may stay away. */
const remoteRetryMs = 500;
/** A gateway of another node that says nothing for so long is out of reach, milliseconds; it says something each second. */
const remoteSilenceMs = 4_000;
/** Datagrams that wait for a gateway which does not take them, bytes: half a second of 30 Mbit/s. */
const maxWaitingDatagramBytes = 2 * 1024 * 1024;
/** Streams remembered of one gateway; beyond, it is asked for none of the rest. */
const maxStreams = 20_000;
/** A stream that has ended is still asked for there this long, milliseconds: the playlists of its last minute. */
const rememberedForMs = 120_000;
/** A call of a sibling that hangs is given up, milliseconds: longer than a playlist waits for its first segment. */
const callTimeoutMs = 10_000;
/**
 * A gateway that has not answered by then whether a stream can be published has not agreed, milliseconds: longer than it waits for a
 * publisher that may be silent (3 s), and than a node that lost power stays in the table (`remoteSilenceMs`).
 */
const publisherAnswerMs = 6_000;

/** The status of the answer; `gone` when the stream is no longer there, or the gateway is not; undefined without an answer in time. */
export type PublisherAnswer = number | 'gone' | undefined;

export interface SiblingLinkOptions {
  readonly target: CallTarget;
  readonly log: Logger;
  readonly onBegin: (stream: Announcement) => void;
}

export class SiblingLink {
  readonly target: CallTarget;
  readonly #options: SiblingLinkOptions;
  readonly #streams = new Map<string, Announcement>();
  /** When streams ended that were there, monotonic milliseconds; oldest first. */
  readonly #endedAtMs = new Map<string, number>();
  readonly #known = Promise.withResolvers<void>();
  #datagrams: ClientRequest | undefined;
  #listening: ClientRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Called when it loses the stream of that URL. */
  readonly #onGone = new Map<() => void, string>();
  /** Streams that come from it: they end with the connection, which alone notices that the other side is gone. */
  readonly #pulls = new Set<IncomingMessage>();
  #isConnected = false;
  /** Why it is out of reach, as told last. */
  #toldTrouble = '';
  #isClosed = false;

  constructor(options: SiblingLinkOptions) {
    this.#options = options;
    this.target = options.target;
    this.#listen();
  }

  /** Whether it tells its streams now. */
  get isConnected(): boolean {
    return this.#isConnected;
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

  /**
   * Asks about the publisher of a stream that it has. A call that fails answers nothing, since a gateway that is slow keeps its publisher;
   * one whose process or machine has ended also ends the connection that tells its streams, and is `gone` by that.
   */
  async askPublishing(path: string, key: StreamKey): Promise<PublisherAnswer> {
    const url = toStreamUrl(key);
    const asked = this.#streams.get(url);
    if (!asked) return 'gone';
    const { promise, resolve } = Promise.withResolvers<PublisherAnswer>();
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
    // It has ended the publisher, which its announcement is about to say. A publisher that came since then stays.
    else if (path === siblingPaths.takeOver && answer === 200 && this.#streams.get(url) === asked)
      this.#streams.delete(url);
    return answer;
  }

  /** Sends a call; the answer is for the caller to read or destroy. Rejects when the gateway is away or does not answer in time. */
  call(path: string, options: RequestOptions = {}, hasOwnConnection = false, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const call = this.target.request({ path, timeout: callTimeoutMs, ...options }, hasOwnConnection);
      call.once('response', resolve);
      call.once('timeout', () => call.destroy(new Error('the other gateway does not answer')));
      call.once('error', reject);
      call.end(body);
    });
  }

  /** Opens a connection on which the stream comes. Rejects with the status when there is none any more. */
  async pull(key: StreamKey): Promise<IncomingMessage> {
    const answer = await this.call(siblingCall(siblingPaths.stream, key), {}, true);
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new Error(`the other gateway answered ${answer.statusCode}`);
    }
    // A publisher may be silent for longer than a call may take.
    answer.socket.setTimeout(0);
    this.#pulls.add(answer);
    answer.once('close', () => this.#pulls.delete(answer));
    return answer;
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
    call.once('timeout', () => call.destroy(new Error('it is silent')));
    call.once('response', (response) => {
      this.#isConnected = true;
      this.#toldTrouble = '';
      log.debug({ gateway: name }, 'connected to another gateway');
      const lines = createInterface({ input: response });
      response.on('error', () => undefined);
      lines.on('error', () => undefined);
      lines.on('line', (line) => this.#handleLine(line));
    });
    call.on('error', (error) => this.#tellTrouble(error));
    call.once('close', () => this.#lose());
    call.end();
  }

  /** Of gateways of this node the supervisor tells what happens to them. */
  #tellTrouble(error: Error): void {
    const { name: gateway, isRemote } = this.target;
    const reason = connectionTrouble(error);
    if (!isRemote || this.#isClosed || reason === this.#toldTrouble) return;
    this.#toldTrouble = reason;
    this.#options.log.warn({ gateway, reason }, 'a gateway of another node is out of reach');
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
