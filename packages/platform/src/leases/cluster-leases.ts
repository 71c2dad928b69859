// The task leases of this process. Renews leases every second, and stops a task before its lease can expire. Takes free tasks. Hands over
// tasks that only another node can run now, and all tasks while it drains. `lease-book.ts` has the rules.
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { LeaseOwner, LeaseRenewal, LeaseRow, LeaseTable, LeaseView } from '../store/lease-table.ts';
import { type Found, LeaseBook } from './lease-book.ts';
import {
  handedOverMs,
  killAfterMs,
  loadDelayMs,
  maxLoadDelayMs,
  remoteEndMs,
  remoteEndPollMs,
  renewEveryMs,
  unsuitedDelayMs,
} from './lease-limits.ts';
import type { LeasedTask, TaskLeases } from './task-leases.ts';

export interface Leases extends TaskLeases {
  /** Node that holds each task, as last seen. Keys are task ids. */
  holders(): ReadonlyMap<string, string>;
  nowhere(): number;
  setDraining(isDraining: boolean): void;
}

export interface LeasesDeps {
  readonly table: LeaseTable;
  readonly owner: LeaseOwner;
  readonly hasEnded: (row: LeaseRow) => boolean;
  /** Maximum number of tasks on this node. */
  readonly slots: number;
  readonly accepts: (id: string) => boolean;
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

interface Wanted {
  readonly task: LeasedTask;
  /** This node holds the lease but cannot run the task now. */
  isUnable: boolean;
  freeSinceMs: number | undefined;
  notBeforeMs: number;
}

const lookEveryMs = 250;

export function createLeases(deps: LeasesDeps): Leases {
  return new ClusterLeases(deps);
}

class ClusterLeases implements Leases {
  readonly #deps: LeasesDeps;
  readonly #nowMs: () => number;
  readonly #book: LeaseBook;
  readonly #wanted = new Map<string, Wanted>();
  readonly #ending = new Map<string, Promise<void>>();
  readonly #listeners: ((leftMs: number) => void)[] = [];
  readonly #timers: NodeJS.Timeout[];
  #offers: readonly string[] = [];
  #statuses: ReadonlyMap<string, string> = new Map();
  #renewing: Promise<void> | undefined;
  #considering: Promise<void> | undefined;
  #isDraining = false;
  #isClosed = false;

  constructor(deps: LeasesDeps) {
    this.#deps = deps;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
    this.#book = new LeaseBook(deps.owner, deps.hasEnded);
    this.#timers = [
      setInterval(() => this.#renewInBackground(), renewEveryMs).unref(),
      setInterval(() => this.#endOverdue(), lookEveryMs).unref(),
    ];
  }

  want(id: string, task: LeasedTask): void {
    if (this.#isClosed) return;
    this.#wanted.set(id, { task, isUnable: false, freeSinceMs: undefined, notBeforeMs: 0 });
    this.#renewInBackground();
  }

  async unwant(id: string, everywhere: boolean): Promise<void> {
    const task = this.#wanted.get(id)?.task;
    this.#wanted.delete(id);
    if (task && this.#book.held().has(id)) await this.#end(id, task, true);
    if (everywhere) await this.#untilGone(id);
  }

  isHeld(id: string): boolean {
    return this.#book.held().has(id) && !this.#ending.has(id);
  }

  async confirm(id: string): Promise<boolean> {
    const fence = this.#book.held().get(id)?.fence;
    if (fence === undefined || !this.isHeld(id)) return false;
    const found = await this.#exchange([{ id, fence, status: undefined, seeks: false }], []);
    return found !== undefined && this.isHeld(id) && this.#book.held().get(id)?.fence === fence;
  }

  requestRestart(id: string): Promise<void> {
    return this.#deps.table.requestRestart(id);
  }

  nodeOf(id: string): string | undefined {
    return this.#book.nodeOf(id);
  }

  holders(): ReadonlyMap<string, string> {
    return this.#book.holders();
  }

  nowhere(): number {
    return [...this.#wanted.keys()].filter((id) => this.#book.nodeOf(id) === undefined).length;
  }

  statusOf(id: string): string | undefined {
    return this.#statuses.get(id);
  }

  setDraining(isDraining: boolean): void {
    this.#isDraining = isDraining;
    if (isDraining) for (const id of [...this.#book.held().keys()]) this.#handOver(id);
    else this.#renewInBackground();
  }

  onProven(listener: (leftMs: number) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timers.forEach(clearInterval);
    const ids = [...this.#book.held().keys()];
    await Promise.all(ids.map((id) => this.#end(id, this.#wanted.get(id)?.task, true)));
    await Promise.all([this.#renewing, this.#considering]);
    await Promise.all(this.#ending.values());
  }

  /** Starts a renewal unless one is running, so that a slow store gets no parallel requests. */
  #renewInBackground(): void {
    if (this.#renewing || this.#isClosed) return;
    this.#renewing = this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    inBackground(this.#renewing, this.#deps.log, 'leases of tasks could not be renewed');
  }

  async #renew(): Promise<void> {
    const renewals = [...this.#book.held()].map(([id, { fence }]): LeaseRenewal => {
      const wanted = this.#wanted.get(id);
      return { id, fence, status: wanted?.task.status(), seeks: wanted?.isUnable ?? false };
    });
    const offers = this.#offers;
    this.#offers = [];
    const found = await this.#exchange(renewals, offers);
    if (!found) return;
    for (const id of found.restart) if (this.isHeld(id)) this.#wanted.get(id)?.task.beginAnew();
    for (const id of found.offered) if (this.#wanted.get(id)?.isUnable && this.isHeld(id)) this.#handOver(id);
    if (this.#considering || this.#isClosed) return;
    this.#considering = this.#consider().finally(() => {
      this.#considering = undefined;
    });
    inBackground(this.#considering, this.#deps.log, 'unassigned tasks could not be taken over');
  }

  /** Decides which tasks this node takes or offers to take. May take long, because files and media servers are queried. */
  async #consider(): Promise<void> {
    for (const [id, wanted] of [...this.#wanted]) {
      const { task } = wanted;
      if (this.isHeld(id)) wanted.isUnable = task.isIdle() && !(await suits(task));
      else await this.#takeIfFree(id, wanted);
    }
    const sought = [...this.#wanted].filter(([id]) => this.#book.isSought(id) && this.#mayTake(id));
    const able = await Promise.all(sought.map(([, { task }]) => suits(task)));
    this.#offers = sought.filter((_, i) => able[i]).map(([id]) => id);
    await this.#readStatuses();
  }

  /** Renews and reads the leases. Undefined when the store does not respond. */
  async #exchange(renewals: readonly LeaseRenewal[], offers: readonly string[]): Promise<Found | undefined> {
    const startedMs = this.#nowMs();
    const view = await this.#deps.table.exchange(this.#deps.owner, renewals, offers).catch(() => undefined);
    if (!view) {
      this.#book.onFailure(this.#nowMs());
      return undefined;
    }
    return this.#judge(view, renewals, startedMs);
  }

  #judge(view: LeaseView, renewals: readonly LeaseRenewal[], startedMs: number): Found {
    const found = this.#book.onView(view, renewals, startedMs, this.#nowMs());
    for (const id of found.lost) {
      this.#deps.log.warn(
        { task: id, node: this.#book.nodeOf(id) },
        'another node runs this task now: stopping the task on this node',
      );
      this.#endInBackground(id, false);
    }
    this.#notifyProven();
    return found;
  }

  #mayTake(id: string): boolean {
    const { slots, accepts } = this.#deps;
    return !this.#isClosed && !this.#isDraining && accepts(id) && this.#book.held().size < slots;
  }

  async #takeIfFree(id: string, wanted: Wanted): Promise<void> {
    const nowMs = this.#nowMs();
    const isFree = this.#mayTake(id) && !this.#ending.has(id) && this.#book.free(id, nowMs) !== undefined;
    wanted.freeSinceMs = isFree ? (wanted.freeSinceMs ?? nowMs) : undefined;
    if (!isFree || nowMs < wanted.notBeforeMs) return;
    const delayMs = (await suits(wanted.task))
      ? Math.min(maxLoadDelayMs, this.#book.held().size * loadDelayMs)
      : unsuitedDelayMs;
    if (nowMs - (wanted.freeSinceMs ?? nowMs) < delayMs) return;
    const seen = this.#book.free(id, this.#nowMs());
    if (seen !== undefined && this.#wanted.get(id) === wanted) await this.#take(id, wanted, seen);
  }

  async #take(id: string, wanted: Wanted, seen: string): Promise<void> {
    const { table, owner, log } = this.#deps;
    const startedMs = this.#nowMs();
    try {
      const taken = await table.take(owner, id, seen);
      if (!taken) return;
      Object.assign(wanted, { freeSinceMs: undefined, isUnable: false });
      this.#book.onTaken(id, taken, startedMs);
      log.info({ task: id, fence: taken.fence, isTakenOver: seen !== '' }, 'this node runs the task now');
    } catch {
      this.#book.onFailure(this.#nowMs());
      return;
    }
    this.#notifyProven();
    // The task may have been disabled while the lease was taken.
    if (this.#wanted.get(id) === wanted && !this.#isClosed && !this.#isDraining) wanted.task.begin();
    else await this.#end(id, wanted.task, true);
  }

  #endOverdue(): void {
    for (const id of this.#book.overdue(this.#nowMs())) {
      if (this.#ending.has(id)) continue;
      this.#deps.log.error(
        { task: id },
        'the store does not respond: stopping this task on this node, another node may run it',
      );
      this.#endInBackground(id, false);
    }
  }

  #handOver(id: string): void {
    const wanted = this.#wanted.get(id);
    if (wanted) wanted.notBeforeMs = this.#nowMs() + handedOverMs;
    this.#endInBackground(id, true);
  }

  #endInBackground(id: string, gives: boolean): void {
    inBackground(this.#end(id, this.#wanted.get(id)?.task, gives), this.#deps.log, 'a task could not be stopped');
  }

  /** Stops a task. The lease counts as held until the task has stopped. With `gives`, the lease is then released. */
  #end(id: string, task: LeasedTask | undefined, gives: boolean): Promise<void> {
    const fence = this.#book.held().get(id)?.fence;
    const before = this.#ending.get(id);
    if (before || fence === undefined) return before ?? Promise.resolve();
    const ending = (async () => {
      await task?.end();
      // If the store is unavailable, the lease expires and another node takes it over.
      if (gives) await this.#deps.table.release(this.#deps.owner, id, fence).catch(() => undefined);
    })().finally(() => {
      this.#book.onEnded(id);
      this.#ending.delete(id);
    });
    this.#ending.set(id, ending);
    return ending;
  }

  async #untilGone(id: string): Promise<void> {
    const deadlineMs = this.#nowMs() + remoteEndMs;
    while (this.#nowMs() < deadlineMs && !this.#isClosed) {
      const found = await this.#exchange([], []);
      if (!found || this.#book.nodeOf(id) === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, remoteEndPollMs));
    }
  }

  async #readStatuses(): Promise<void> {
    const isElsewhere = (id: string) => !this.#book.held().has(id) && this.#book.nodeOf(id) !== undefined;
    if (![...this.#wanted.keys()].some(isElsewhere)) return;
    this.#statuses = await this.#deps.table.statuses().catch(() => this.#statuses);
  }

  #notifyProven(): void {
    const proven = [...this.#book.held().values()].map(({ provenMs }) => provenMs);
    if (proven.length === 0) return;
    const leftMs = Math.min(...proven) + killAfterMs - this.#nowMs();
    for (const listener of this.#listeners) listener(leftMs);
  }
}

/** Whether the task can run here; false if unknown. */
function suits(task: LeasedTask): Promise<boolean> {
  return task.suits().catch(() => false);
}
