// Admits viewers of every protocol: name, existing stream, free place, media it can carry, permission, in this order. Only a viewer that
// is allowed makes others give up a place. Admitted viewers are counted through what they get; refusals are returned, logged and listed.
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
  /** Streams that another gateway has. */
  readonly copies?: CopySource | undefined;
  /** Publishers and viewers of all protocols together, beyond which no viewer is let in. */
  readonly maxConnections: number;
}

/** Where a stream comes from that is published in another gateway. */
export interface CopySource {
  /** Answers from memory. */
  has(key: StreamKey): boolean;
  /** Resolves when the stream is here, or cannot be had. Never rejects. */
  ready(key: StreamKey): Promise<void>;
}

/** Has viewers that are admitted and not counted yet: they keep their places, as long as nobody else needs them. */
export interface PlaceHolder {
  readonly heldPlaces: number;
  /** Ends the oldest viewer that holds a place. False when none does. */
  makeRoom(): boolean;
}

/** What the gate must know of a way to play. */
export interface PlayTerms {
  /** Its players may come before the publisher. */
  readonly waitsForPublisher: boolean;
  /** What keeps the stream from its viewers; `stream` is undefined when nobody has published it yet. */
  readonly obstacleTo: (stream: Stream | undefined) => Obstacle | undefined;
}

/** The rule that a viewer did not pass: protocols have an answer for each. */
export type PlayRule = 'name' | 'existence' | 'limit' | 'host' | Obstacle['kind'];

export interface PlayRefusal {
  readonly ok: false;
  readonly rule: PlayRule;
  readonly reason: RefusalReason | 'stream-not-found';
  /** English sentence for logs and for the viewer. */
  readonly detail: string;
  /** The codec that cannot be carried. */
  readonly codec?: string;
}

export type PlayAdmission = { readonly ok: true; readonly play: AdmittedPlay } | PlayRefusal;

export class PlayGate {
  readonly #options: PlayGateOptions;
  readonly #holders: PlaceHolder[] = [];
  /** Viewers that are being decided about; each has a place. */
  #asking = 0;

  constructor(options: PlayGateOptions) {
    this.#options = options;
  }

  /** Whoever lets viewers in that do not play yet. */
  addHolder(holder: PlaceHolder): void {
    this.#holders.push(holder);
  }

  /**
   * Checks, then asks the host. Refusals are reported already. Never rejects.
   * @param kept what is remembered of an admitted session; the host is asked about all of it.
   */
  async admit(session: SessionInfo, terms: PlayTerms, kept = session): Promise<PlayAdmission> {
    const refusal = this.#check(session, terms);
    if (refusal) return refusal;
    this.#asking++;
    try {
      return await this.#decide(session, terms, kept);
    } finally {
      this.#asking--;
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
    const isNew = await this.#fetch(session);
    // Rules that changed meanwhile were not held against it: it was nobody's player yet.
    const now = isNew ? await ports.reviewPlay?.({ ...session, isSegment: false }) : undefined;
    if (now?.allowed === false) {
      play.end();
      return this.refuse(session, 'host', now);
    }
    const obstacle = isNew ? terms.obstacleTo(hub.find(session)) : undefined;
    // The publisher may have gone while the host was asked.
    if (!obstacle && (terms.waitsForPublisher || hub.isPublished(session))) return { ok: true, play };
    play.end();
    return obstacle ? this.#refuseFor(obstacle, session) : notPublished(session);
  }

  /** Whether the stream is being published, here or in another gateway. */
  exists(key: StreamKey): boolean {
    const { hub, copies } = this.#options;
    return hub.isPublished(key) || copies?.has(key) === true;
  }

  /** Has the stream sent from the gateway where it is published. True when it was not here before. */
  async #fetch(session: SessionInfo): Promise<boolean> {
    const { hub, copies } = this.#options;
    if (!copies || hub.isPublished(session)) return false;
    await copies.ready(session);
    return true;
  }

  /** Its name is none: for those who look something up by it before they ask here. */
  refuseName(session: SessionInfo): PlayRefusal {
    return this.refuse(session, 'name', { reason: 'name-invalid', detail: 'the stream name is not valid' });
  }

  /** Reports a viewer that is turned away, here or by what only its protocol can know. */
  refuse(session: SessionInfo, rule: PlayRule, why: { reason: RefusalReason; detail: string }): PlayRefusal {
    const { reason, detail } = why;
    this.#options.refusals.report(session, reason, detail);
    return { ok: false, rule, reason, detail };
  }

  #check(session: SessionInfo, terms: PlayTerms): PlayRefusal | undefined {
    const { hub, ports, maxConnections } = this.#options;
    // Viewers that hold places give them up, but only to one that is allowed.
    const mayHavePlace = hub.connectionCount + this.#asking < maxConnections;
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

  /** For a viewer that is being decided about. False when all places are taken by viewers that play. */
  #makeRoom(): boolean {
    const { hub, maxConnections } = this.#options;
    const held = () => this.#holders.reduce((sum, { heldPlaces }) => sum + heldPlaces, 0);
    while (hub.connectionCount + this.#asking + held() > maxConnections) {
      if (!this.#holders.some((holder) => holder.makeRoom())) return false;
    }
    return true;
  }
}

/** Not a refusal: players ask again and again until the stream is there, and would push the others out of the list. */
export function notPublished(key: StreamKey): PlayRefusal {
  const detail = `${toStreamUrl(key)} is not being published`;
  return { ok: false, rule: 'existence', reason: 'stream-not-found', detail };
}
