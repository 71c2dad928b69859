// Starts streams with their slate before a source exists. Publishes the first frames of the slate. After that, the stream continues with
// its slate as if a source had disconnected. Any publisher takes over with its first keyframe.
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import type { SlateMedia } from '../../hub/slate/slate-media.ts';
import type { EngineLogger } from '../../ports.ts';
import { type SessionInfo, sessionFields } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import { admitPublisher, type PublishGate } from '../gate/publish-gate.ts';

export interface SlateStartsDeps {
  readonly gate: PublishGate;
  readonly mediaFor: (order: SlateOrder) => SlateMedia | undefined;
  readonly log: EngineLogger;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

export class SlateStarts {
  readonly #deps: SlateStartsDeps;
  /** Ids of the starts in the latest orders. Each start is attempted only once. */
  #done = new Set<string>();

  constructor(deps: SlateStartsDeps) {
    this.#deps = deps;
  }

  /** Resolves when all new starts have been attempted. Never rejects. */
  async configure(orders: readonly SlateOrder[]): Promise<void> {
    const ids = new Set(orders.flatMap(({ start }) => start?.id ?? []));
    const fresh = orders.filter(({ start }) => start && !this.#done.has(start.id));
    this.#done = ids;
    await Promise.all(fresh.map((order) => this.#begin(order)));
  }

  async #begin(order: SlateOrder): Promise<void> {
    const { gate, mediaFor, log, wallClock } = this.#deps;
    const media = mediaFor(order);
    if (!order.start || wallClock() >= order.start.untilMs || !media) return;
    const session = sessionInfo(order, order.start);
    if (gate.hub.isPublished(session)) return;
    try {
      const result = await admitPublisher(session, { close: () => undefined }, gate);
      if (!result.ok) return;
      const { publication } = result;
      const first = [media.video?.packets[0], media.audio?.packets[0]].filter((packet) => packet !== undefined);
      for (const packet of first) publication.push(packet);
      publication.end('unpublished');
      gate.hub.showSlateNow(session);
      gate.ports.onUnpublish(session);
      log.info(sessionFields(session), 'stream starts with its slate');
    } catch (error) {
      log.error({ err: error, ...sessionFields(session) }, 'stream could not start with its slate');
    }
  }
}

function sessionInfo(
  { app, stream }: SlateOrder,
  { vhost, param }: { readonly vhost: string; readonly param: string },
): SessionInfo {
  return {
    ...{ vhost, app, stream, param, ip: '127.0.0.1', clientId: randomId(8), type: 'slate-publish' },
    ...{ tcUrl: `rtmp://localhost/${app}`, pageUrl: '' },
  };
}
