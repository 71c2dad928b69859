// Places for WebRTC peers: as many as memory allows, of which those that have not connected make room for others. Only an admitted peer
// takes the place of another admitted one.
import { UnusedTable } from '../../util/unused-table.ts';
import { maxUnjoinedPerAddress } from './rtc-limits.ts';

/** A peer that has not connected yet. */
interface Unjoined {
  end(): void;
}

/** One peer's place: given back by `free`. */
export interface RtcPlace {
  readonly isFree: () => boolean;
  /** The peer is allowed in: the oldest that has not connected makes room. False when every place is in use. */
  admit(): boolean;
  /** From now on this ends the peer when it has to make room. */
  onCrowdedOut(end: () => void): void;
  /** The admitted peer no longer makes room for others. Idempotent. */
  readonly keep: () => void;
  /** The peer is gone. Idempotent. */
  free(): void;
}

export class RtcPlaces {
  readonly #maxPeers: number;
  /** Nothing is kept for them yet but their offers. */
  readonly #undecided: UnusedTable<Unjoined>;
  readonly #unjoined: UnusedTable<Unjoined>;
  /** Peers that do not make room for others. */
  #kept = 0;

  constructor(maxPeers: number) {
    this.#maxPeers = maxPeers;
    const onEvict = (peer: Unjoined): void => peer.end();
    this.#undecided = new UnusedTable({ maxEntries: maxPeers, maxPerAddress: maxUnjoinedPerAddress, onEvict });
    this.#unjoined = new UnusedTable({ maxPerAddress: maxUnjoinedPerAddress, onEvict });
  }

  /** False when every place is in use, so that nobody need be asked about another peer. */
  get mayHaveRoom(): boolean {
    return this.#kept < this.#maxPeers;
  }

  /** Counts a peer: as undecided until it is admitted, as unjoined until it is kept, then as one that stays, until it is freed. */
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
