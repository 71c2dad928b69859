// All task leases as last read by this process, and the resulting decisions. Pure: the inputs are store reads and monotonic time.
// `cluster-leases.ts` drives it. All times are milliseconds of that clock.
import { type LeaseOwner, type LeaseRow, type LeaseTaken, type LeaseView, sought } from '../store/lease-table.ts';
import { holdMs, takeAfterMs } from './lease-limits.ts';

interface Held {
  readonly fence: number;
  /** Start of the last successful renewal. */
  provenMs: number;
  /** Restart counter of the task at its last restart. */
  restarts: number;
}

export interface Found {
  /** Another node holds these tasks now: this node must stop them. */
  readonly lost: readonly string[];
  /** A restart of these tasks was requested. */
  readonly restart: readonly string[];
  /** Another node offers to run these tasks. */
  readonly offered: readonly string[];
}

export class LeaseBook {
  readonly #owner: LeaseOwner;
  readonly #hasEnded: (row: LeaseRow) => boolean;
  readonly #held = new Map<string, Held>();
  #rows: ReadonlyMap<string, LeaseRow> = new Map();
  #offers: ReadonlyMap<string, string> = new Map();
  /** Last seen content of each row, and the time since when it is unchanged. */
  readonly #unchanged = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  /** Time of the last failed store access: the store may have lost writes. */
  #failedMs = Number.NEGATIVE_INFINITY;

  /** `hasEnded`: whether the process that holds a row, and all its children, are known to have ended. */
  constructor(owner: LeaseOwner, hasEnded: (row: LeaseRow) => boolean) {
    this.#owner = owner;
    this.#hasEnded = hasEnded;
  }

  held(): ReadonlyMap<string, { readonly fence: number; readonly provenMs: number }> {
    return this.#held;
  }

  /** Node that holds a task, as last seen. */
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

  /** The task has stopped here. */
  onEnded(id: string): void {
    this.#held.delete(id);
  }

  onFailure(nowMs: number): void {
    this.#failedMs = nowMs;
  }

  /** Processes the result of `renewals`, which started at `startedMs`. It does not affect leases taken later. */
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

  /** Leases not renewed for too long: their tasks must stop in any case. */
  overdue(nowMs: number): string[] {
    return [...this.#held].filter(([, { provenMs }]) => nowMs - provenMs >= holdMs).map(([id]) => id);
  }

  /** The stored row that may be replaced ('' for none); undefined when another process may hold the lease. */
  free(id: string, nowMs: number): string | undefined {
    // A store that was unavailable may have lost the newest rows, or be a replica without them.
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

  /** Notes a successful renewal. True when a restart was requested since the previous one. */
  #prove(id: string, startedMs: number, restarts: number): boolean {
    const held = this.#held.get(id);
    if (!held) return false;
    held.provenMs = Math.max(held.provenMs, startedMs);
    const isRequested = restarts > held.restarts;
    held.restarts = Math.max(held.restarts, restarts);
    return isRequested;
  }
}
