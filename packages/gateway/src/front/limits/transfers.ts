// Limits the number of concurrent transfers whose speed depends on the client, in total and per address. At the limit, a new transfer
// replaces the transfer that has stalled longest. If no transfer has stalled, the new transfer is refused.
import { everybody } from '@srs-stack/process/turn-queue.ts';

export interface TransferLimits {
  readonly most: number;
  readonly mostPerAddress: number;
  /** A transfer without progress for this time may be ended for a new transfer, milliseconds. */
  readonly idleMs: number;
}

export interface Transfer {
  progress(): void;
  /** Idempotent. */
  readonly leave: () => void;
}

interface Entry extends Transfer {
  readonly key: string;
  readonly cut: () => void;
  movedMs: number;
}

export class Transfers {
  readonly #limits: TransferLimits;
  readonly #now: () => number;
  /** Transfers in the order of their last progress, oldest first. */
  readonly #entries = new Set<Entry>();
  readonly #countOf = new Map<string, number>();

  /** @param now monotonic milliseconds. */
  constructor(limits: TransferLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get count(): number {
    return this.#entries.size;
  }

  /**
   * @param key of the client (`addressKey`).
   * @param cut ends this transfer. Called at most once, and not after `leave`.
   * @returns undefined when no place is free and no transfer has stalled.
   */
  admit(key: string, cut: () => void): Transfer | undefined {
    const { most, mostPerAddress } = this.#limits;
    if (key !== everybody && (this.#countOf.get(key) ?? 0) >= mostPerAddress) this.#makeRoom(key);
    else if (this.#entries.size >= most) this.#makeRoom(undefined);
    const isFull = this.#entries.size >= most || (key !== everybody && (this.#countOf.get(key) ?? 0) >= mostPerAddress);
    if (isFull) return undefined;
    const entry: Entry = {
      key,
      cut,
      movedMs: this.#now(),
      progress: () => {
        if (!this.#entries.delete(entry)) return;
        entry.movedMs = this.#now();
        this.#entries.add(entry);
      },
      leave: () => this.#remove(entry),
    };
    this.#entries.add(entry);
    this.#countOf.set(key, (this.#countOf.get(key) ?? 0) + 1);
    return entry;
  }

  /** Ends the transfer that has stalled longest, of the address `key` or of all addresses. */
  #makeRoom(key: string | undefined): void {
    const latestMs = this.#now() - this.#limits.idleMs;
    for (const entry of this.#entries) {
      if (entry.movedMs > latestMs) return;
      if (key !== undefined && entry.key !== key) continue;
      this.#remove(entry);
      entry.cut();
      return;
    }
  }

  #remove(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    const left = (this.#countOf.get(entry.key) ?? 1) - 1;
    if (left > 0) this.#countOf.set(entry.key, left);
    else this.#countOf.delete(entry.key);
  }
}
