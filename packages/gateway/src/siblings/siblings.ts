// The other gateways of this node and of other nodes, as the engine sees them: which gateway has a stream, and how to pull the stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DatagramRelay,
  type DatagramSource,
  type StreamKey,
  type StreamOrigins,
  toStreamUrl,
  type WatchFacts,
} from '@srs-stack/engine';
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { KnownNode } from '@srs-stack/process/cluster/known-nodes.ts';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { setCommonHeaders } from '../front/http/response-headers.ts';
import type { Announcement } from './announcement.ts';
import { type CallTarget, localTarget, remoteTarget } from './call-target.ts';
import { type OfferReports, offerReports } from './report-relay.ts';
import { type PublisherResponse, SiblingLink } from './sibling-link.ts';
import { siblingCall, siblingPaths, viewerAddressHeader } from './sibling-paths.ts';
import { ViewedBytes } from './viewed-bytes.ts';
import { ViewerCalls } from './viewer-calls.ts';

/** At start, longest wait for a hanging gateway, milliseconds. */
const knownWithinMs = 2_000;
/** Timeout for viewer numbers from another gateway, milliseconds. Watch pages wait for these numbers. */
const factsWithinMs = 500;

export interface SiblingsOptions {
  readonly dataDir: string;
  readonly count: number;
  readonly index: number;
  readonly secret: string;
  readonly cluster: ClusterTls | undefined;
  readonly log: Logger;
  readonly onBegin: (stream: Announcement, gateway: CallTarget) => void;
}

export class Siblings implements StreamOrigins, DatagramRelay {
  readonly index: number;
  readonly count: number;
  readonly secret: string;
  readonly #options: SiblingsOptions;
  readonly #local = new Map<number, SiblingLink>();
  /** Gateways of other nodes, by node, address and index. */
  readonly #remote = new Map<string, SiblingLink>();
  readonly #viewed = new ViewedBytes();
  readonly #viewerCalls = new ViewerCalls(this.#viewed);
  readonly #appeared = new Set<(key: StreamKey) => void>();

  constructor(options: SiblingsOptions) {
    const { dataDir, count, index, secret, cluster } = options;
    this.#options = options;
    this.index = index;
    this.count = count;
    this.secret = secret;
    for (let gateway = 0; gateway < count; gateway++) {
      if (gateway === index) continue;
      const target = localTarget(siblingSocket(dataDir, gateway), cluster?.nodeId ?? '', gateway);
      this.#local.set(gateway, this.#open(target));
    }
  }

  /** Updates the known other nodes. A node that is no longer listed is dropped only after its connection has ended. */
  setNodes(nodes: readonly KnownNode[]): void {
    const { cluster } = this.#options;
    if (!cluster) return;
    const others = nodes.filter(({ id }) => id !== cluster.nodeId);
    const wanted = new Map(
      others.flatMap((node) =>
        Array.from({ length: node.gateways }, (_, gateway) => [placeOf(node, gateway), { node, gateway }] as const),
      ),
    );
    for (const [place, link] of this.#remote) {
      if (wanted.has(place) || link.isConnected) continue;
      link.close();
      this.#remote.delete(place);
    }
    for (const [place, { node, gateway }] of wanted) {
      if (!this.#remote.has(place)) this.#remote.set(place, this.#open(remoteTarget(cluster, node, gateway)));
    }
  }

  isRemote(key: StreamKey): boolean {
    return this.#linkTo(key)?.target.isRemote ?? this.#links.find((link) => link.knows(key))?.target.isRemote ?? false;
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
    if (!link) throw new Error(`no other gateway has the stream ${toStreamUrl(key)}`);
    return link.pull(key);
  }

  async isSending(key: StreamKey): Promise<boolean> {
    const responses = await this.#askPublishing(siblingPaths.sending, key);
    // 404: a gateway of an earlier release, which lacks this call. The following `takeOver` does not end a publisher that is sending.
    return responses.some((answer) => answer !== 200 && answer !== 404 && answer !== 'gone');
  }

  async takeOver(key: StreamKey): Promise<boolean> {
    const responses = await this.#askPublishing(siblingPaths.takeOver, key);
    return responses.every((answer) => answer === 200 || answer === 'gone');
  }

  requestKeyframe(key: StreamKey): void {
    this.#post(this.#linkTo(key), siblingCall(siblingPaths.keyframe, key));
  }

  forward(key: StreamKey, request: IncomingMessage, response: ServerResponse): boolean {
    const link = this.#linkTo(key) ?? this.#links.find((each) => each.knows(key));
    // A forwarded request is never forwarded again.
    if (!link || request.headers[viewerAddressHeader] !== undefined) return false;
    setCommonHeaders(response);
    this.#viewerCalls.passOn(link, key, request, response).catch((error: unknown) => {
      this.#options.log.debug(
        { err: error, stream: toStreamUrl(key) },
        'request of a viewer could not be forwarded to another gateway',
      );
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'Retry-After': '1', 'Content-Length': 0 }).end();
    });
    return true;
  }

  countSent(key: StreamKey, context: string, bytes: number): void {
    const link = this.#linkTo(key) ?? this.#links.find((each) => each.knows(key));
    if (link) this.#viewed.add(link, { ...key, context, bytes });
  }

  send(gateway: number, datagram: Buffer, remote: DatagramSource): void {
    this.#local.get(gateway)?.sendDatagram(datagram, remote);
  }

  /** Responses of the gateways that respond in time. Never rejects. */
  async watchFactsOfOthers(key: StreamKey): Promise<WatchFacts[]> {
    const calls = this.#links
      .filter(({ isConnected }) => isConnected)
      .map(async (link) => {
        const call = siblingCall(siblingPaths.watchFacts, key);
        const answer = await link.call(call, { signal: AbortSignal.timeout(factsWithinMs) });
        if (answer.statusCode !== 200) {
          answer.resume();
          return [];
        }
        return [(await json(answer)) as WatchFacts];
      });
    const responses = await Promise.allSettled(calls);
    return responses.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  /** Calls all gateways. Resolves with the statuses of the gateways that respond. */
  async askAll(path: string, method: string): Promise<number[]> {
    const calls = this.#links.map(async (link) => {
      const answer = await link.call(siblingPaths.viewer + path, { method });
      answer.resume();
      return answer.statusCode ?? 0;
    });
    const responses = await Promise.allSettled(calls);
    return responses.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  }

  /** Functions that send playback reports to the other gateways. */
  reportOffers(): OfferReports[] {
    return this.#links.filter((link) => link.isConnected).map((link) => (reports) => offerReports(link, reports));
  }

  /** Idempotent. */
  close(): void {
    this.#viewed.close();
    for (const link of this.#links) link.close();
  }

  get #links(): SiblingLink[] {
    return [...this.#local.values(), ...this.#remote.values()];
  }

  #open(target: CallTarget): SiblingLink {
    const { log, onBegin } = this.#options;
    return new SiblingLink({
      target,
      log,
      onBegin: (stream) => {
        onBegin(stream, target);
        for (const listener of this.#appeared) listener(stream);
      },
    });
  }

  #askPublishing(path: string, key: StreamKey): Promise<PublisherResponse[]> {
    const having = this.#links.filter((link) => link.publishedSince(key) !== undefined);
    return Promise.all(having.map((link) => link.askPublishing(path, key)));
  }

  #post(link: SiblingLink | undefined, path: string): void {
    link?.call(path, { method: 'POST' }).then(
      (answer) => answer.resume(),
      () => undefined,
    );
  }

  #linkTo(key: StreamKey): SiblingLink | undefined {
    return this.#links.find((link) => link.publishedSince(key) !== undefined);
  }
}

/** Key of a gateway. A node with a new address gets a new key. */
function placeOf({ id, host, port }: KnownNode, gateway: number): string {
  return `${id} ${host} ${port} ${gateway}`;
}
