// Admits viewers of every protocol. Checks in this order: name, stream, viewer limit, supported media, authorization. Only an authorized
// viewer replaces an admitted viewer that does not play. Refusals are logged and listed, except for streams that are not published.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { Obstacle } from '../../egress/obstacle.ts';
import type { Stream, StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { RefusalReason, SessionInfo } from '../../session-info.ts';
import { AdmittedPlay } from './admitted-play.ts';
import type { Refusals } from './refusals.ts';

export interface PlayGateOptions {
  readonly hub: Pick<StreamHub, 'find' | 'isPublished' | 'connectionCount' | 'addPlayer'>;
  readonly ports: Pick<EnginePorts, 'log' | 'isValidStream' | 'authorizePlay' | 'reviewPlay' | 'onStop'>;
  readonly refusals: Refusals;
  /** Streams of other gateways and on-demand pulls. */
  readonly copies?: CopySource | undefined;
  readonly maxConnections: number;
}

/** Streams that reach this gateway only when they have a viewer: streams of other gateways, and on-demand pulls. */
export interface CopySource {
  has(key: StreamKey): boolean;
  /** Resolves when the stream is available here, or cannot be pulled. Never rejects. */
  ready(key: StreamKey): Promise<void>;
}

/** A table of admitted viewers that do not play: not started, or paused. They keep their places until other viewers need them. */
export interface PlaceHolder {
  readonly heldPlaces: number;
  /** Ends the oldest viewer that does not play. Returns false if there is none. */
  makeRoom(): boolean;
}

/** Properties of an output protocol for the gate. */
export interface PlayTerms {
  readonly waitsForPublisher: boolean;
  /** True for a HEAD request, which only checks access and does not start an on-demand pull. */
  readonly isProbe?: boolean;
  /** Why the output cannot carry the stream. @param stream undefined before the first publication. */
  readonly obstacleTo: (stream: Stream | undefined) => Obstacle | undefined;
}

/** The check that a viewer failed. Each protocol maps it to a response. */
export type PlayRule = 'name' | 'existence' | 'limit' | 'host' | Obstacle['kind'];

export interface PlayRefusal {
  readonly ok: false;
  readonly rule: PlayRule;
  readonly reason: RefusalReason | 'stream-not-found';
  readonly detail: string;
  readonly codec?: string;
}

export type PlayAdmission = { readonly ok: true; readonly play: AdmittedPlay } | PlayRefusal;

export class PlayGate {
  readonly #options: PlayGateOptions;
  readonly #holders: PlaceHolder[] = [];
  /** Number of pending admissions; each uses a place. */
  #pending = 0;

  constructor(options: PlayGateOptions) {
    this.#options = options;
  }

  addHolder(holder: PlaceHolder): void {
    this.#holders.push(holder);
  }

  /**
   * Checks the viewer and calls the host. Refusals are already reported. Never rejects.
   * @param kept session data to store after the admission; the host gets the complete `session`.
   */
  async admit(session: SessionInfo, terms: PlayTerms, kept = session): Promise<PlayAdmission> {
    const refusal = this.#check(session, terms);
    if (refusal) return refusal;
    this.#pending++;
    try {
      return await this.#decide(session, terms, kept);
    } finally {
      this.#pending--;
    }
  }

  async #decide(session: SessionInfo, terms: PlayTerms, kept: SessionInfo): Promise<PlayAdmission> {
    const { hub, ports } = this.#options;
    const verdict = await ports.authorizePlay(session);
    if (!verdict.allowed) return this.refuse(session, 'host', verdict);
    const play = new AdmittedPlay(kept, { hub, ports });
    if (!this.#makeRoom()) {
      play.end();
      return this.#refuseForLimit(session);
    }
    const isNew = !terms.isProbe && (await this.#fetch(session));
    // Authorizes a new viewer again after a pull. Rules that changed during the pull were applied to players, and this viewer was not a
    // player yet.
    const now = isNew ? await ports.reviewPlay?.({ ...session, isSegment: false }) : undefined;
    if (now?.allowed === false) {
      play.end();
      return this.refuse(session, 'host', now);
    }
    const obstacle = isNew ? terms.obstacleTo(hub.find(session)) : undefined;
    // Meanwhile the publisher may have left.
    const isThere = terms.isProbe ? this.exists(session) : hub.isPublished(session);
    if (!obstacle && (terms.waitsForPublisher || isThere)) return { ok: true, play };
    play.end();
    return obstacle ? this.#refuseFor(obstacle, session) : notPublished(session);
  }

  /** Whether a gateway publishes the stream, or it can be pulled on demand. */
  exists(key: StreamKey): boolean {
    const { hub, copies } = this.#options;
    return hub.isPublished(key) || copies?.has(key) === true;
  }

  /** Pulls a stream that is not published here. Returns false if no pull was needed. */
  async #fetch(session: SessionInfo): Promise<boolean> {
    const { hub, copies } = this.#options;
    if (!copies || hub.isPublished(session)) return false;
    await copies.ready(session);
    return true;
  }

  /** Refuses an invalid name, for callers that check names before a lookup. */
  refuseName(session: SessionInfo): PlayRefusal {
    return this.refuse(session, 'name', { reason: 'name-invalid', detail: 'the stream name is not valid' });
  }

  /** Reports a viewer that this gate or a protocol has refused. */
  refuse(session: SessionInfo, rule: PlayRule, why: { reason: RefusalReason; detail: string }): PlayRefusal {
    const { reason, detail } = why;
    this.#options.refusals.report(session, reason, detail);
    return { ok: false, rule, reason, detail };
  }

  #check(session: SessionInfo, terms: PlayTerms): PlayRefusal | undefined {
    const { hub, ports, maxConnections } = this.#options;
    // Viewers that do not play yet do not count, because an authorized viewer may replace them.
    const mayHavePlace = hub.connectionCount + this.#pending < maxConnections;
    if (!ports.isValidStream(session)) return this.refuseName(session);
    const exists = this.exists(session);
    if (!terms.waitsForPublisher && !exists) return notPublished(session);
    if (!mayHavePlace) return this.#refuseForLimit(session);
    const obstacle = terms.obstacleTo(hub.find(session));
    return obstacle && this.#refuseFor(obstacle, session);
  }

  #refuseFor({ kind, detail, codec }: Obstacle, session: SessionInfo): PlayRefusal {
    const refusal = this.refuse(session, kind, { reason: 'codec-unsupported', detail });
    return codec === undefined ? refusal : { ...refusal, codec };
  }

  #refuseForLimit(session: SessionInfo): PlayRefusal {
    const detail = `the limit of ${this.#options.maxConnections} connections is reached`;
    return this.refuse(session, 'limit', { reason: 'limit-reached', detail });
  }

  /** Frees a place for a pending admission. Returns false if players and other pending admissions use all places. */
  #makeRoom(): boolean {
    const { hub, maxConnections } = this.#options;
    const held = () => this.#holders.reduce((sum, { heldPlaces }) => sum + heldPlaces, 0);
    while (hub.connectionCount + this.#pending + held() > maxConnections) {
      if (!this.#holders.some((holder) => holder.makeRoom())) return false;
    }
    return true;
  }
}

/** Not in the list of refusals: players retry until the stream exists, and would displace all other refusals. */
export function notPublished(key: StreamKey): PlayRefusal {
  const detail = `${toStreamUrl(key)} is not being published`;
  return { ok: false, rule: 'existence', reason: 'stream-not-found', detail };
}
