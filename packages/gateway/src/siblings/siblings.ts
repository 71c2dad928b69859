// The other gateways of this node, for the engine: where streams are that are not here, and how they come here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DatagramRelay,
  type DatagramSource,
  type StreamKey,
  type StreamOrigins,
  toStreamUrl,
} from '@srs-stack/engine';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import type { Announcement } from './announcement.ts';
import { SiblingLink } from './sibling-link.ts';
import { siblingCall, siblingPaths, viewerAddressHeader } from './sibling-paths.ts';

/** A gateway that hangs keeps the others waiting at most so long at their start, milliseconds. */
const knownWithinMs = 2_000;

export interface SiblingsOptions {
  readonly dataDir: string;
  readonly count: number;
  /** Of this gateway. */
  readonly index: number;
  readonly log: Logger;
  /** Another gateway has got a publisher for the stream. */
  readonly onBegin: (stream: Announcement, gateway: number) => void;
}

export class Siblings implements StreamOrigins, DatagramRelay {
  /** Of this gateway. */
  readonly index: number;
  readonly count: number;
  readonly #links: readonly SiblingLink[];
  readonly #log: Logger;
  readonly #appeared = new Set<(key: StreamKey) => void>();

  constructor({ dataDir, count, index, log, onBegin }: SiblingsOptions) {
    this.#log = log;
    this.index = index;
    this.count = count;
    const others = Array.from({ length: count }, (_, gateway) => gateway).filter((gateway) => gateway !== index);
    this.#links = others.map((gateway) => {
      const begin = (stream: Announcement): void => {
        onBegin(stream, gateway);
        for (const listener of this.#appeared) listener(stream);
      };
      return new SiblingLink({ index: gateway, socketPath: siblingSocket(dataDir, gateway), log, onBegin: begin });
    });
  }

  publishedSince(key: StreamKey): number | undefined {
    return this.#linkTo(key)?.publishedSince(key);
  }

  async whenKnown(): Promise<void> {
    await Promise.race([
      Promise.all(this.#links.map((link) => link.whenKnown)),
      delay(knownWithinMs, undefined, { ref: false }),
    ]);
  }

  onAppear(listener: (key: StreamKey) => void): () => void {
    this.#appeared.add(listener);
    return () => this.#appeared.delete(listener);
  }

  async pull(key: StreamKey): Promise<Readable> {
    const link = this.#linkTo(key);
    if (!link) throw new Error(`no other gateway has ${toStreamUrl(key)}`);
    // A connection of its own, which ends with the stream.
    const answer = await link.call(siblingCall(siblingPaths.stream, key), { agent: false });
    // A publisher may be silent for longer than a call may take.
    if (answer.statusCode === 200) {
      answer.socket.setTimeout(0);
      return answer;
    }
    answer.destroy();
    throw new Error(`the other gateway answered ${answer.statusCode}`);
  }

  async takeOver(key: StreamKey): Promise<boolean> {
    const having = this.#links.filter((link) => link.publishedSince(key) !== undefined);
    const answers = await Promise.all(having.map((link) => this.#askForRelease(link, key)));
    return answers.every(Boolean);
  }

  requestKeyframe(key: StreamKey): void {
    this.#tell(this.#linkTo(key), siblingCall(siblingPaths.keyframe, key));
  }

  forward(key: StreamKey, request: IncomingMessage, response: ServerResponse): boolean {
    const link = this.#linkTo(key) ?? this.#links.find((each) => each.knows(key));
    // One that comes from another gateway is not sent back.
    if (!link || request.headers[viewerAddressHeader] !== undefined) return false;
    this.#passOn(link, request, response).catch((error: unknown) => {
      this.#log.debug({ err: error, stream: toStreamUrl(key) }, 'another gateway did not answer a viewer');
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'Retry-After': '1', 'Content-Length': 0 }).end();
    });
    return true;
  }

  send(gateway: number, datagram: Buffer, remote: DatagramSource): void {
    this.#links.find(({ index }) => index === gateway)?.sendDatagram(datagram, remote);
  }

  /** Asks all of them; the status of each that answers. */
  async askAll(path: string, method: string): Promise<number[]> {
    const asked = this.#links.map(async (link) => {
      const answer = await link.call(siblingPaths.viewer + path, { method });
      answer.resume();
      return answer.statusCode ?? 0;
    });
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  /** Idempotent. */
  close(): void {
    for (const link of this.#links) link.close();
  }

  async #passOn(link: SiblingLink, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host = '', range, referer, 'user-agent': userAgent } = request.headers;
    const address = (request as { clientAddress?: string }).clientAddress ?? request.socket.remoteAddress ?? '';
    const headers = Object.entries({ host, range, referer, 'user-agent': userAgent, [viewerAddressHeader]: address });
    const left = new AbortController();
    // A playlist may wait for media: not for a viewer who has left.
    response.once('close', () => left.abort());
    const answer = await link.call(siblingPaths.viewer + (request.url ?? ''), {
      method: request.method ?? 'GET',
      signal: left.signal,
      headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
    });
    if (response.destroyed) {
      answer.destroy();
      return;
    }
    const { connection: _, 'keep-alive': __, date: ___, ...kept } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, kept);
    pipeline(answer, response, () => undefined);
  }

  async #askForRelease(link: SiblingLink, key: StreamKey): Promise<boolean> {
    const answer = await link.call(siblingCall(siblingPaths.takeOver, key), { method: 'POST' }).catch(() => undefined);
    answer?.resume();
    // A gateway that does not answer is ending, and its publishers with it.
    const isFree = answer?.statusCode !== 409;
    if (isFree) link.forget(key);
    return isFree;
  }

  #tell(link: SiblingLink | undefined, path: string): void {
    link?.call(path, { method: 'POST' }).then(
      (answer) => answer.resume(),
      () => undefined,
    );
  }

  #linkTo(key: StreamKey): SiblingLink | undefined {
    return this.#links.find((link) => link.publishedSince(key) !== undefined);
  }
}
