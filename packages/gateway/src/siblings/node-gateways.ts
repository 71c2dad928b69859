// Connects this gateway with the other gateways of its node and of other nodes: announces and serves streams, and requests streams from
// other gateways.
import type { RequestListener } from 'node:http';
import { type DatagramRelay, type Engine, type StreamOrigins, toStreamUrl } from '@srs-stack/engine';
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { listenRefusal } from '@srs-stack/process/start-refusal.ts';
import { KnownNodesWatch } from '../nodes/known-nodes-watch.ts';
import { NodeListener, type NodeListenerOptions } from '../nodes/node-listener.ts';
import type { SentReport, ViewerReports } from '../viewers/viewer-reports.ts';
import type { Announcement } from './announcement.ts';
import { type CallTarget, rankOf } from './call-target.ts';
import { ReportRelay } from './report-relay.ts';
import { SiblingServer } from './sibling-server.ts';
import { Siblings } from './siblings.ts';

export interface NodeGatewaysOptions {
  readonly dataDir: string;
  readonly gateways: { readonly count: number; readonly index: number };
  readonly callbackSecret: string;
  readonly cluster?: OwnNode | undefined;
  readonly reports: Pick<ViewerReports, 'take' | 'refuse'>;
  readonly log: Logger;
}

/** This node in its cluster. */
export interface OwnNode {
  readonly tls: ClusterTls;
  readonly listen: NodeListenerOptions['listen'];
}

export class NodeGateways {
  readonly #options: NodeGatewaysOptions;
  readonly #siblings: Siblings;
  readonly #rank: string;
  readonly #reports: ReportRelay;
  #nodes: KnownNodesWatch | undefined;
  #server: SiblingServer | undefined;
  #listener: NodeListener | undefined;
  #engine: Engine | undefined;

  constructor(options: NodeGatewaysOptions) {
    const { dataDir, gateways, callbackSecret: secret, cluster, log } = options;
    this.#options = options;
    this.#rank = rankOf(cluster?.tls.nodeId ?? '', gateways.index);
    const onBegin = (stream: Announcement, target: CallTarget): void => this.#settle(stream, target);
    this.#siblings = new Siblings({ dataDir, ...gateways, secret, cluster: cluster?.tls, log, onBegin });
    const others = () => this.#siblings.reportOffers();
    this.#reports = new ReportRelay({ others, refuse: (result) => options.reports.refuse(result) });
    if (cluster) this.#nodes = new KnownNodesWatch(dataDir, (nodes) => this.#siblings.setNodes(nodes));
  }

  /** The engine's interface to the other gateways. */
  get ports(): { readonly origins: StreamOrigins; readonly relay: DatagramRelay } {
    return { origins: this.#siblings, relay: this.#siblings };
  }

  /** The watch pages' interface to the other gateways. */
  get audience(): Pick<Siblings, 'publishedSince' | 'watchFactsOfOthers'> {
    return this.#siblings;
  }

  /**
   * Starts the listeners for the other gateways.
   * @param served handlers of calls from control planes of other nodes: `api` for this gateway, `nodeCalls` for the control plane of this
   * node.
   * @returns the internal port; undefined without a cluster.
   * @throws StartRefusal for the port, the system error for the socket.
   */
  async serve(
    engine: Engine,
    served: { readonly api: RequestListener; readonly nodeCalls: RequestListener },
  ): Promise<number | undefined> {
    const { dataDir, gateways, cluster, reports, log } = this.#options;
    const socketPath = siblingSocket(dataDir, gateways.index);
    this.#engine = engine;
    const server = new SiblingServer({ socketPath, engine, ...served, reports, log, now: Date.now });
    this.#server = server;
    await server.listen();
    if (!cluster) return undefined;
    await this.#nodes?.look();
    this.#listener = new NodeListener({
      ...cluster,
      dataDir,
      gateways,
      accept: (socket) => server.accept(socket),
      log,
    });
    return this.#listener.listen().catch((error: unknown) => {
      throw listenRefusal('CLUSTER_LISTEN', cluster.listen, error);
    });
  }

  /**
   * Ends a WebRTC session on any other gateway. Resolves with the status of a gateway that refused, such as 403 for a wrong token. Resolves
   * with undefined when no gateway refused.
   */
  async endRtcSession(path: string): Promise<number | undefined> {
    const responses = await this.#siblings.askAll(path, 'DELETE');
    return responses.find((status) => status >= 400);
  }

  /**
   * Passes a playback report to the other gateways, which may have the viewer. Returns false without other gateways, or when the queue is
   * full.
   */
  handOver(sent: SentReport): boolean {
    return this.#reports.push(sent);
  }

  /** Idempotent. */
  close(): void {
    this.#reports.close();
    this.#nodes?.close();
    this.#listener?.close();
    this.#siblings.close();
    this.#server?.close();
  }

  /**
   * Two gateways may admit publishers of one stream simultaneously, or while the network between them is interrupted. The publisher that
   * started later is ended. After a simultaneous start, the gateway with the higher rank ends its publisher. Both gateways compare equal
   * values, so that exactly one publisher stays.
   */
  #settle(theirs: Announcement, { name: gateway, rank }: CallTarget): void {
    const sinceMs = this.#server?.publishedSince(theirs);
    if (sinceMs === undefined || sinceMs < theirs.sinceMs) return;
    if (sinceMs === theirs.sinceMs && this.#rank < rank) return;
    const url = toStreamUrl(theirs);
    const publisher = this.#engine?.streams().find((stream) => toStreamUrl(stream) === url)?.publisher;
    if (!publisher) return;
    this.#options.log.warn(
      { stream: url, gateway },
      'another gateway already had a publisher of this stream: disconnecting the local publisher',
    );
    this.#engine?.kick(publisher.clientId);
  }
}
