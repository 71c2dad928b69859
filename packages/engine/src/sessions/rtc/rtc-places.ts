// Places for WebRTC peers: as many as memory allows, of which those that have not connected make room for others.
import { UnusedTable } from '../../util/unused-table.ts';
import { maxUnjoinedPerAddress } from './rtc-limits.ts';

/** A peer that has not connected yet. */
interface Unjoined {
  end(): void;
}

/** One peer's place: given back by `free`. */
export interface RtcPlace {
  readonly isFree: () => boolean;
  /** From now on this ends the peer when it has to make room. */
  onCrowdedOut(end: () => void): void;
  /** The peer no longer makes room for others. Idempotent. */
  readonly keep: () => void;
  /** The peer is gone. Idempotent. */
  free(): void;
}

export class RtcPlaces {
  readonly #maxPeers: number;
  readonly #unjoined = new UnusedTable<Unjoined>({
    maxPerAddress: maxUnjoinedPerAddress,
    onEvict: (peer) => peer.end(),
  });
  /** Peers that do not make room for others. */
  #kept = 0;

  constructor(maxPeers: number) {
    this.#maxPeers = maxPeers;
  }

  /** False when every peer there may be is in use: those that are not go, the oldest first. */
  makeRoom(): boolean {
    return this.#kept + this.#unjoined.size < this.#maxPeers || this.#unjoined.evictOldest();
  }

  /** Counts a peer: as unjoined until it is kept, then as one that stays, until it is freed. */
  take(ip: string, onCrowdedOut: () => void): RtcPlace {
    const entry: Unjoined = { end: onCrowdedOut };
    let state: 'unjoined' | 'kept' | 'free' = 'unjoined';
    this.#unjoined.add(entry, ip);
    return {
      isFree: () => state === 'free',
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
        this.#unjoined.remove(entry);
      },
    };
  }
}
