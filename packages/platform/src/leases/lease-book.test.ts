// Leases with late and lost responses, frozen processes, and a store that fails over and loses writes. Two nodes must never run one task
// simultaneously. Time is simulated, and a seed always gives the same run.
import { describe, expect, it } from 'vitest';
import type { LeaseOwner, LeaseRow, LeaseView } from '../store/lease-table.ts';
import { LeaseBook } from './lease-book.ts';
import { holdMs, killAfterMs, renewEveryMs, takeAfterMs } from './lease-limits.ts';

const task = 'forward:x';
const owner = (name: string): LeaseOwner => ({ holder: `${name}-1`, node: name, place: name, pid: 1, startTicks: 1 });
const never = () => false;

function rowOf({ holder, ...rest }: LeaseOwner, fence: number, beat: number): LeaseRow {
  return { holder, ...rest, fence, text: `${holder}:${fence} ${beat}` };
}
const viewOf = (row: LeaseRow | undefined, changes: Partial<LeaseView> = {}): LeaseView => ({
  renewed: new Set(),
  rows: new Map(row ? [[task, row]] : []),
  restarts: new Map(),
  offers: new Map(),
  ...changes,
});
const nothing: [] = [];

describe('a lease', () => {
  it('without a holder is free immediately, and never while it is renewed', () => {
    const book = new LeaseBook(owner('a'), never);
    book.onView(viewOf(undefined), nothing, 0, 10);
    expect(book.free(task, 10)).toBe('');
    for (let beat = 0; beat < 30; beat++) {
      const now = 1_000 * (beat + 1);
      book.onView(viewOf(rowOf(owner('b'), 1, beat)), nothing, now, now);
      expect(book.free(task, now)).toBeUndefined();
    }
  });

  it('is taken over when its row has not changed for long enough by this process’s own clock', () => {
    const book = new LeaseBook(owner('a'), never);
    const row = rowOf(owner('b'), 1, 7);
    book.onView(viewOf(row), nothing, 0, 100);
    book.onView(viewOf(row), nothing, 0, 99 + takeAfterMs);
    expect(book.free(task, 99 + takeAfterMs)).toBeUndefined();
    expect(book.free(task, 100 + takeAfterMs)).toBe(row.text);
  });

  it('of an ended earlier process on this machine is free immediately', () => {
    const book = new LeaseBook(owner('a'), (row) => row.holder === 'a-0');
    const row = rowOf({ ...owner('a'), holder: 'a-0' }, 3, 9);
    book.onView(viewOf(row), nothing, 0, 10);
    expect(book.free(task, 10)).toBe(row.text);
  });

  it('is not free until a store that was unavailable has been back for a while, because it may have lost writes', () => {
    const book = new LeaseBook(owner('a'), never);
    book.onFailure(1_000);
    book.onView(viewOf(undefined), nothing, 1_500, 1_600);
    expect(book.free(task, 1_600)).toBeUndefined();
    expect(book.free(task, 1_000 + takeAfterMs)).toBe('');
  });

  it('is lost when a renewal finds another holder, and overdue without successful renewals', () => {
    const book = new LeaseBook(owner('a'), never);
    book.onTaken(task, { fence: 4, restarts: 0 }, 0);
    const renewals = [{ id: task, fence: 4 }];
    const kept = viewOf(rowOf(owner('a'), 4, 1), { renewed: new Set([task]) });
    expect(book.onView(kept, renewals, 1_000, 1_200)).toEqual({ lost: [], restart: [], offered: [] });
    expect(book.overdue(1_000 + holdMs - 1)).toEqual([]);
    expect(book.overdue(1_000 + holdMs)).toEqual([task]);
    expect(book.onView(viewOf(rowOf(owner('b'), 5, 0)), renewals, 2_000, 2_100).lost).toEqual([task]);
  });

  it('that was taken after a read started is not judged by that read', () => {
    const book = new LeaseBook(owner('a'), never);
    book.onTaken(task, { fence: 6, restarts: 0 }, 100);
    expect(book.onView(viewOf(undefined), nothing, 50, 200).lost).toEqual([]);
    // A renewal of an earlier lease must not affect this lease either.
    expect(book.onView(viewOf(undefined), [{ id: task, fence: 4 }], 50, 300).lost).toEqual([]);
  });

  it('reports once that its task must restart', () => {
    const book = new LeaseBook(owner('a'), never);
    book.onTaken(task, { fence: 1, restarts: 2 }, 0);
    const renewals = [{ id: task, fence: 1 }];
    const view = (restarts: number) =>
      viewOf(rowOf(owner('a'), 1, 1), { renewed: new Set([task]), restarts: new Map([[task, restarts]]) });
    expect(book.onView(view(2), renewals, 1, 2).restart).toEqual([]);
    expect(book.onView(view(3), renewals, 3, 4).restart).toEqual([task]);
    expect(book.onView(view(3), renewals, 5, 6).restart).toEqual([]);
  });
});

/** Random numbers from 0 to 1 that depend only on the seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Store {
  row: LeaseRow | undefined;
  fence: number;
  beat: number;
}

const stepMs = 50;
/** Longest time until a process exits after a stop request, milliseconds. Then the process is killed. */
const longestEndMs = 1_500;

/** Timeout of a command, milliseconds. */
const commandTimeoutMs = 3_000;

class SimulatedNode {
  readonly name: string;
  readonly #book: LeaseBook;
  readonly #owner: LeaseOwner;
  readonly #random: () => number;
  #frozenUntil = 0;
  #isolatedUntil = 0;
  #nextRound = 0;
  #busyUntil = 0;
  #pending: { readonly atMs: number; readonly run: () => void }[] = [];
  #fence = 0;
  #hasLooked = false;
  #guardMs = 0;
  #endsAt = Number.POSITIVE_INFINITY;
  isRunning = false;

  constructor(name: string, random: () => number) {
    this.name = name;
    this.#owner = owner(name);
    this.#book = new LeaseBook(this.#owner, never);
    this.#random = random;
  }

  freeze(untilMs: number): void {
    this.#frozenUntil = untilMs;
  }

  isolate(untilMs: number): void {
    this.#isolatedUntil = untilMs;
  }

  /** Breaks the connection to the store. Running commands and their responses are lost at random. */
  cut(nowMs: number): void {
    this.#pending = this.#pending.filter(() => this.#random() < 0.5);
    this.#busyUntil = 0;
    this.#book.onFailure(nowMs);
  }

  step(nowMs: number, store: Store): void {
    // Programs continue while their control plane is frozen. Only the guard process stops them.
    if (nowMs >= Math.min(this.#endsAt, this.#guardMs)) this.#ended();
    // Messages sent before the freeze still arrive.
    for (let due = this.#takeDue(nowMs); due.length > 0; due = this.#takeDue(nowMs)) for (const each of due) each.run();
    if (nowMs < this.#frozenUntil) return;
    if (this.#book.overdue(nowMs).length > 0) this.#end(nowMs);
    if ((nowMs >= this.#nextRound || this.#hasLooked) && nowMs >= this.#busyUntil) this.#exchange(nowMs, store);
  }

  #takeDue(nowMs: number) {
    const due = this.#pending.filter(({ atMs }) => atMs <= nowMs);
    this.#pending = this.#pending.filter(({ atMs }) => atMs > nowMs);
    return due;
  }

  #exchange(startedMs: number, store: Store): void {
    this.#nextRound = startedMs + renewEveryMs;
    const seen = this.#hasLooked ? this.#book.free(task, startedMs) : undefined;
    this.#hasLooked = false;
    const [there, back] = [this.#delay(), this.#delay()];
    this.#busyUntil = startedMs + there + back + stepMs;
    const isIsolated = startedMs < this.#isolatedUntil;
    const hasResponse = !isIsolated && this.#random() > 0.02;
    if (!hasResponse) this.#busyUntil = startedMs + commandTimeoutMs;
    const fence = this.#fence;
    const wanted = this.#endsAt === Number.POSITIVE_INFINITY ? seen : undefined;
    if (isIsolated) {
      this.#later(this.#busyUntil, () => this.#thaw((nowMs) => this.#book.onFailure(nowMs)));
      return;
    }
    this.#later(startedMs + there, () => {
      const response = wanted === undefined ? exchange(store, this.#owner, fence) : take(store, this.#owner, wanted);
      this.#later(startedMs + there + back, () =>
        this.#thaw(() => hasResponse && this.#hear(response, fence, startedMs)),
      );
    });
    if (!hasResponse) this.#later(this.#busyUntil, () => this.#thaw((nowMs) => this.#book.onFailure(nowMs)));
  }

  #hear(response: LeaseView | number, fence: number, startedMs: number): void {
    const nowMs = clockMs;
    if (typeof response === 'number') {
      if (response > 0) this.#begin(response, startedMs);
      return;
    }
    const renewals = fence > 0 ? [{ id: task, fence }] : [];
    this.#hasLooked = true;
    const { lost } = this.#book.onView(response, renewals, startedMs, nowMs);
    if (lost.length > 0) this.#end(nowMs);
    this.#prove();
  }

  #begin(fence: number, startedMs: number): void {
    this.#book.onTaken(task, { fence, restarts: 0 }, startedMs);
    this.#fence = fence;
    // The task must not start if the response arrives after the new lease is overdue.
    this.isRunning = this.#book.overdue(clockMs).length === 0;
    this.#prove();
  }

  #prove(): void {
    const held = this.#book.held().get(task);
    if (held) this.#guardMs = held.provenMs + killAfterMs;
  }

  #end(nowMs: number): void {
    if (this.#endsAt === Number.POSITIVE_INFINITY) this.#endsAt = nowMs + this.#random() * longestEndMs;
  }

  #ended(): void {
    if (!this.isRunning && this.#endsAt === Number.POSITIVE_INFINITY) return;
    this.isRunning = false;
    if (clockMs < this.#frozenUntil) return;
    this.#endsAt = Number.POSITIVE_INFINITY;
    this.#guardMs = Number.POSITIVE_INFINITY;
    this.#book.onEnded(task);
    this.#fence = 0;
  }

  #delay(): number {
    const kind = this.#random();
    return kind < 0.8 ? 5 : kind < 0.95 ? 200 : this.#random() * 1_400;
  }

  #later(atMs: number, run: () => void): void {
    this.#pending.push({ atMs, run });
  }

  #thaw(run: (nowMs: number) => void): void {
    if (clockMs >= this.#frozenUntil) run(clockMs);
    else this.#later(this.#frozenUntil, () => run(clockMs));
  }
}

let clockMs = 0;

function take(store: Store, by: LeaseOwner, seen: string): number {
  if ((store.row?.text ?? '') !== seen) return 0;
  store.fence += 1;
  store.row = rowOf(by, store.fence, 0);
  return store.fence;
}

function exchange(store: Store, by: LeaseOwner, fence: number): LeaseView {
  const isOwn = fence > 0 && store.row?.holder === by.holder && store.row.fence === fence;
  store.beat += 1;
  if (isOwn) store.row = rowOf(by, fence, store.beat);
  return viewOf(store.row, { renewed: new Set(isOwn ? [task] : []) });
}

/** Returns the times at which two nodes ran the task, and the share of time (0 to 1) in which any node ran the task. */
function simulate(seed: number, minutes: number): { doubles: string[]; share: number } {
  const random = randomOf(seed);
  const store: Store = { row: undefined, fence: 0, beat: 0 };
  const nodes = ['a', 'b', 'c'].map((name) => new SimulatedNode(name, random));
  const doubles: string[] = [];
  let steps = 0;
  let older = { ...store };
  let olderMs = 0;
  for (clockMs = 0; clockMs < minutes * 60_000; clockMs += stepMs) {
    for (const node of nodes) node.step(clockMs, store);
    const running = nodes.filter((node) => node.isRunning).map(({ name }) => name);
    if (running.length > 1) doubles.push(`${seed}: ${running} at ${clockMs}`);
    if (running.length > 0) steps += 1;
    if (clockMs - olderMs >= 1_000) [older, olderMs] = [{ ...store }, clockMs];
    const event = random();
    if (event < 0.001) nodes[Math.floor(random() * nodes.length)]?.freeze(clockMs + random() * 30_000);
    else if (event < 0.002) nodes[Math.floor(random() * nodes.length)]?.isolate(clockMs + random() * 20_000);
    else if (event < 0.0025) {
      // A replica without the newest rows takes over, and every connection breaks.
      Object.assign(store, older);
      for (const node of nodes) node.cut(clockMs);
    }
  }
  return { doubles, share: (steps * stepMs) / clockMs };
}

describe('nodes with late and lost responses, frozen processes and a store that loses writes', () => {
  it('never run a task simultaneously, and one of them runs it', () => {
    const all = Array.from({ length: 60 }, (_, seed) => simulate(seed, 10));
    expect(all.flatMap(({ doubles }) => doubles)).toEqual([]);
    expect(Math.min(...all.map(({ share }) => share))).toBeGreaterThan(0.5);
  });
});
