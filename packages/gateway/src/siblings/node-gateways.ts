// This gateway among those of its node: what it tells and does for the others, and what it has of them.
import { type DatagramRelay, type Engine, type StreamOrigins, toStreamUrl } from '@srs-stack/engine';
import { siblingSocket } from '@srs-stack/process/listen-address.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import type { Announcement } from './announcement.ts';
import { SiblingServer } from './sibling-server.ts';
import { Siblings } from './siblings.ts';

export interface NodeGatewaysOptions {
  readonly dataDir: string;
  readonly gateways: { readonly count: number; readonly index: number };
  readonly log: Logger;
}

export class NodeGateways {
  readonly #options: NodeGatewaysOptions;
  readonly #siblings: Siblings;
  #server: SiblingServer | undefined;
  #engine: Engine | undefined;

  constructor(options: NodeGatewaysOptions) {
    const { dataDir, gateways, log } = options;
    this.#options = options;
    const onBegin = (stream: Announcement, gateway: number): void => this.#settle(stream, gateway);
    this.#siblings = new Siblings({ dataDir, ...gateways, log, onBegin });
  }

  /** For the engine. */
  get ports(): { readonly origins: StreamOrigins; readonly relay: DatagramRelay } {
    return { origins: this.#siblings, relay: this.#siblings };
  }

  /** Lets the others come. Rejects with the system error. */
  async serve(engine: Engine): Promise<void> {
    const { dataDir, gateways, log } = this.#options;
    const socketPath = siblingSocket(dataDir, gateways.index);
    this.#engine = engine;
    this.#server = new SiblingServer({ socketPath, engine, log, now: Date.now });
    await this.#server.listen();
  }

  /**
   * Ends a WebRTC session that may be in any of the other gateways. The status of who refused, such as 403 for a wrong token;
   * undefined when nobody did.
   */
  async endRtcSession(path: string): Promise<number | undefined> {
    const answers = await this.#siblings.askAll(path, 'DELETE');
    return answers.find((status) => status >= 400);
  }

  /** Idempotent. */
  close(): void {
    this.#siblings.close();
    this.#server?.close();
  }

  /** Two gateways let a publisher in at the same moment: the later one, or else the one of the higher number, gives way. */
  #settle(theirs: Announcement, gateway: number): void {
    const sinceMs = this.#server?.publishedSince(theirs);
    if (sinceMs === undefined || sinceMs < theirs.sinceMs) return;
    if (sinceMs === theirs.sinceMs && this.#options.gateways.index < gateway) return;
    const url = toStreamUrl(theirs);
    const publisher = this.#engine?.streams().find((stream) => toStreamUrl(stream) === url)?.publisher;
    if (!publisher) return;
    this.#options.log.warn(
      { stream: url, gateway },
      'another gateway has a publisher of this stream since before: ours is ended',
    );
    this.#engine?.kick(publisher.clientId);
  }
}
