// Places for WebRTC peers, limited by memory; those that have not connected are replaced by others. Only an authorized peer replaces
// another authorized one.
import { UnusedTable } from '../../util/unused-table.ts';
import { maxUnjoinedPerAddress } from './rtc-limits.ts';

/** A peer that has not connected yet. */
interface Unjoined {
  end(): void;
}

/** One peer's place, until `free`. */
export interface RtcPlace {
  readonly isFree: () => boolean;
  /** The peer is authorized: takes a place, from the oldest peer that has not connected if necessary. False when every place is in use. */
  admit(): boolean;
  /** Sets the function that ends the peer when it is replaced. */
  onCrowdedOut(end: () => void): void;
  /** The peer can no longer be replaced. Idempotent. */
  readonly keep: () => void;
  /** The peer has disconnected. Idempotent. */
  free(): void;
}

export class RtcPlaces {
  readonly #maxPeers: number;
  /** Pending peers, of which only the offers are kept. */
  readonly #undecided: UnusedTable<Unjoined>;
  readonly #unjoined: UnusedTable<Unjoined>;
  /** Peers that cannot be replaced. */
  #kept = 0;

  constructor(maxPeers: number) {
    this.#maxPeers = maxPeers;
    const onEvict = (peer: Unjoined): void => peer.end();
    this.#undecided = new UnusedTable({ maxEntries: maxPeers, maxPerAddress: maxUnjoinedPerAddress, onEvict });
    this.#unjoined = new UnusedTable({ maxPerAddress: maxUnjoinedPerAddress, onEvict });
  }

  /** False when every place is in use, so that the host need not be called about another peer. */
  get mayHaveRoom(): boolean {
    return this.#kept < this.#maxPeers;
  }

  /** Counts a peer: as undecided until it is admitted, as unjoined until it is kept, then as permanent, until it is freed. */
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
