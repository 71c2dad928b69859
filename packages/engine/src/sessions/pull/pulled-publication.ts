// The publication of one connection to a source, admitted by the gate like every publisher.
import type { Publication, PublicationOwner } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EngineLogger } from '../../ports.ts';
import { type ClientType, type SessionInfo, sessionFields } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';
import { admitPublisher, type PublishGate } from '../gate/publish-gate.ts';
import type { PullFailure, PullOrder } from './pull-status.ts';

export interface PulledPublicationOptions {
  readonly order: PullOrder;
  readonly ip: string;
  readonly type: ClientType;
  readonly gate: PublishGate;
  readonly log: EngineLogger;
  readonly stats: NonNullable<PublicationOwner['stats']>;
  readonly readNow?: NonNullable<PublicationOwner['readNow']>;
  /** Called when the publisher was refused, or the hub has ended it. */
  readonly onFailed: (failure: PullFailure) => void;
}

export class PulledPublication {
  readonly #options: PulledPublicationOptions;
  #publication: Publication | undefined;
  #framesBefore = 0;
  #endedBy: StreamEndReason | undefined;

  constructor(options: PulledPublicationOptions) {
    this.#options = options;
  }

  get frames(): number {
    const stats = this.#publication?.stream.stats;
    return stats ? Math.max(0, stats.frames - this.#framesBefore) : 0;
  }

  /** Whether a reader needs each packet immediately; undefined before the admission and after the end. */
  get isAwaited(): boolean | undefined {
    return this.#publication?.isAwaited;
  }

  /** Admits the publisher. Undefined if it was refused or has ended meanwhile. */
  async admit(): Promise<Publication | undefined> {
    const { gate, log, stats, readNow, onFailed } = this.#options;
    const session = this.#sessionInfo();
    const owner = {
      close: (reason: StreamEndReason) => {
        if (!this.#endedBy) onFailed(failureOfEnd(reason));
      },
      stats,
      ...(readNow && { readNow }),
    };
    const result = await admitPublisher(session, owner, gate);
    if (!result.ok) {
      if (!this.#endedBy) onFailed({ reason: 'publish-rejected', detail: result.detail });
      return undefined;
    }
    this.#publication = result.publication;
    if (this.#endedBy) {
      this.#endPublication(this.#endedBy);
      return undefined;
    }
    this.#framesBefore = result.publication.stream.stats.frames;
    log.info(sessionFields(session), 'publish started');
    return result.publication;
  }

  /** Idempotent. */
  end(reason: StreamEndReason): void {
    this.#endedBy ??= reason;
    this.#endPublication(reason);
  }

  #sessionInfo(): SessionInfo {
    const { order, ip, type } = this.#options;
    const { vhost, app, stream, param } = order;
    const scheme = type.split('-', 1)[0];
    return {
      ...{ vhost, app, stream, param, ip, clientId: randomId(8), type },
      ...{ tcUrl: `${scheme}://localhost/${app}`, pageUrl: '' },
    };
  }

  #endPublication(reason: StreamEndReason): void {
    const publication = this.#publication;
    if (!publication) return;
    this.#publication = undefined;
    publication.end(reason);
    this.#options.log.info({ ...sessionFields(publication.session), reason }, 'publish ended');
    this.#options.gate.ports.onUnpublish(publication.session);
  }
}

function failureOfEnd(reason: StreamEndReason): PullFailure {
  return { reason: reason === 'timeout' ? 'stalled' : 'connection-closed', detail: `the stream ended: ${reason}` };
}
