// All task leases as last read from the store, and the resulting decisions. All times are monotonic milliseconds. `cluster-leases.ts`
// provides reads and time.
import { type LeaseOwner, type LeaseRow, type LeaseTaken, type LeaseView, sought } from '../store/lease-table.ts';
import { holdMs, takeAfterMs } from './lease-limits.ts';

interface Held {
  readonly fence: number;
  provenMs: number;
  /** Restart counter in the store at the last restart of the task. */
  restarts: number;
}

export interface Found {
  /** Tasks whose leases this node no longer holds. This node must stop them. */
  readonly lost: readonly string[];
  readonly restart: readonly string[];
  readonly offered: readonly string[];
}

export class LeaseBook {
  readonly #owner: LeaseOwner;
  readonly #hasEnded: (row: LeaseRow) => boolean;
  readonly #held = new Map<string, Held>();
  #rows: ReadonlyMap<string, LeaseRow> = new Map();
  #offers: ReadonlyMap<string, string> = new Map();
  /** Last seen content of each row, and since when the content is unchanged. */
  readonly #unchanged = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  /** Time of the last failed access to the store. After a failure, the store may lack the newest writes. */
  #failedMs = Number.NEGATIVE_INFINITY;

  /** `hasEnded`: whether the process that holds the lease and all its children are known to have ended. */
  constructor(owner: LeaseOwner, hasEnded: (row: LeaseRow) => boolean) {
    this.#owner = owner;
    this.#hasEnded = hasEnded;
  }

  held(): ReadonlyMap<string, { readonly fence: number; readonly provenMs: number }> {
    return this.#held;
  }

  nodeOf(id: string): string | undefined {
    return this.#rows.get(id)?.node;
  }

  holders(): ReadonlyMap<string, string> {
    return new Map([...this.#rows].map(([id, { node }]) => [id, node]));
  }

  isSought(id: string): boolean {
    return this.#offers.get(id) === sought && !this.#held.has(id);
  }

  onTaken(id: string, { fence, restarts }: LeaseTaken, startedMs: number): void {
    this.#held.set(id, { fence, restarts, provenMs: startedMs });
  }

  onEnded(id: string): void {
    this.#held.delete(id);
  }

  onFailure(nowMs: number): void {
    this.#failedMs = nowMs;
  }

  /** Processes the result of `renewals`, which started at `startedMs`. Does not affect leases that were taken later. */
  onView(
    view: LeaseView,
    renewals: readonly { readonly id: string; readonly fence: number }[],
    startedMs: number,
    nowMs: number,
  ): Found {
    const still = renewals.filter(({ id, fence }) => this.#held.get(id)?.fence === fence);
    const lost = still.filter(({ id }) => !view.renewed.has(id)).map(({ id }) => id);
    const kept = still.filter(({ id }) => view.renewed.has(id)).map(({ id }) => id);
    this.#note(view, nowMs);
    const restart = kept.filter((id) => this.#prove(id, startedMs, view.restarts.get(id) ?? 0));
    const offered = kept.filter((id) => ![undefined, sought, this.#owner.node].includes(view.offers.get(id)));
    return { lost, restart, offered };
  }

  /** Leases that were not renewed for too long. Their tasks must stop. */
  overdue(nowMs: number): string[] {
    return [...this.#held].filter(([, { provenMs }]) => nowMs - provenMs >= holdMs).map(([id]) => id);
  }

  /** Returns the row that may be replaced, or '' if no row exists. Undefined when another process may hold the lease. */
  free(id: string, nowMs: number): string | undefined {
    // After an outage, the store may be a replica without the newest rows.
    if (this.#held.has(id) || nowMs - this.#failedMs < takeAfterMs) return undefined;
    const row = this.#rows.get(id);
    if (!row) return '';
    if (row.holder === this.#owner.holder || this.#hasEnded(row)) return row.text;
    const seen = this.#unchanged.get(id);
    return seen?.text === row.text && nowMs - seen.sinceMs >= takeAfterMs ? row.text : undefined;
  }

  #note({ rows, offers }: LeaseView, nowMs: number): void {
    this.#rows = rows;
    this.#offers = offers;
    for (const [id, { text }] of rows) {
      if (this.#unchanged.get(id)?.text !== text) this.#unchanged.set(id, { text, sinceMs: nowMs });
    }
    for (const id of this.#unchanged.keys()) if (!rows.has(id)) this.#unchanged.delete(id);
  }

  /** Stores a successful renewal. Returns whether a restart was requested since the previous renewal. */
  #prove(id: string, startedMs: number, restarts: number): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    held.provenMs = Math.max(held.provenMs, startedMs);
    const isRequested = restarts > held.restarts;
    held.restarts = Math.max(held.restarts, restarts);
    return isRequested;
  }
}
