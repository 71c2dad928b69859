// Places for WebRTC peers, limited by memory. A new peer may replace a peer that is still connecting. Only an authorized peer replaces an
// authorized peer.
import { UnusedTable } from '../../util/unused-table.ts';
import { maxUnjoinedPerAddress } from './rtc-limits.ts';

interface Unjoined {
  end(): void;
}

/** One peer's place, until `free`. */
export interface RtcPlace {
  readonly isFree: () => boolean;
  /**
   * The peer is authorized and takes a place. If necessary, the oldest connecting peer is ended. Returns false when every place is in use
   * or the peer was replaced.
   */
  admit(): boolean;
  onCrowdedOut(end: () => void): void;
  /** The peer can no longer be replaced. Idempotent. */
  readonly keep: () => void;
  /** The peer has disconnected. Idempotent. */
  free(): void;
}

export class RtcPlaces {
  readonly #maxPeers: number;
  /** Peers without a verdict yet. Only their offers are kept in memory. */
  readonly #undecided: UnusedTable<Unjoined>;
  readonly #unjoined: UnusedTable<Unjoined>;
  #kept = 0;

  constructor(maxPeers: number) {
    this.#maxPeers = maxPeers;
    const onEvict = (peer: Unjoined): void => peer.end();
    this.#undecided = new UnusedTable({ maxEntries: maxPeers, maxPerAddress: maxUnjoinedPerAddress, onEvict });
    this.#unjoined = new UnusedTable({ maxPerAddress: maxUnjoinedPerAddress, onEvict });
  }

  /** False when all places have peers that cannot be replaced. The host then need not authorize a new peer. */
  get mayHaveRoom(): boolean {
    return this.#kept < this.#maxPeers;
  }

  /**
   * Counts a new peer as undecided. After `admit`, the peer is authorized but can be replaced. After `keep`, the peer cannot be replaced.
   */
  take(ip: string, onCrowdedOut: () => void): RtcPlace {
    const entry: Unjoined = { end: onCrowdedOut };
    let state: 'undecided' | 'unjoined' | 'kept' | 'free' = 'undecided';
    this.#undecided.add(entry, ip);
    return {
      isFree: () => state === 'free',
      admit: () => {
        this.#undecided.remove(entry);
        if (state !== 'undecided' || !this.#makeRoom()) return false;
        state = 'unjoined';
        this.#unjoined.add(entry, ip);
        return true;
      },
      onCrowdedOut: (end) => {
        entry.end = end;
      },
      keep: () => {
        if (state !== 'unjoined') return;
        state = 'kept';
        this.#unjoined.remove(entry);
        this.#kept++;
      },
      free: () => {
        if (state === 'kept') this.#kept--;
        state = 'free';
        this.#undecided.remove(entry);
        this.#unjoined.remove(entry);
      },
    };
  }

  #makeRoom(): boolean {
    return this.#kept + this.#unjoined.size < this.#maxPeers || this.#unjoined.evictOldest();
  }
}
