// The nodes of the cluster. Each node writes its row every three seconds, and a row without writes for ten seconds is removed. With a file
// as store, this server is the only node. `troubles` lists problems of this node; some of them prevent its start.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@srs-stack/process/log.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { type NodeTable, type NodeView, nodeGoneMs } from '../store/node-table.ts';
import { areFitting } from './fitting-versions.ts';
import { type NodeLoad, type NodeRow, type NodeState, parseNodeRow } from './node-row.ts';

const beatIntervalMs = 3_000;
/** Timeout for measuring the values of a row, milliseconds. Late values are written with the next row. */
const metricsWithinMs = 1_000;
/**
 * Largest clock difference, milliseconds. A larger difference could put publishers, sessions and logs of two nodes in the wrong order. NTP
 * keeps clocks within 100 ms.
 */
const maxClockOffMs = 10_000;
/**
 * After a start or an outage of the store, no node counts as down for this time, milliseconds. Other nodes may have been unable to write.
 */
const settleMs = nodeGoneMs + beatIntervalMs;

export interface ClusterNode extends NodeRow {
  readonly id: string;
  readonly isSelf: boolean;
}

/** Problems of this node. The console has a message for each. */
export type NodeTrouble =
  /** `sinceMs`: start of the time without contact to other nodes. */
  | { readonly kind: 'registry-away'; readonly sinceMs: number }
  | { readonly kind: 'clock-off'; readonly aheadMs: number }
  /** Another node has the id of this node, because one data folder is a copy of the other. */
  | { readonly kind: 'id-taken'; readonly byName: string }
  | { readonly kind: 'version'; readonly name: string; readonly version: string }
  | { readonly kind: 'no-address' };

export interface NodeRegistry {
  readonly self: { readonly id: string; readonly name: string };
  readonly isShared: boolean;
  /** The last known nodes: this node first, then the others by name. */
  list(): readonly ClusterNode[];
  /** True when no process of the node with this id can exist. Another node may then take over the data of the missing node. */
  isGone(id: string): boolean;
  troubles(): readonly NodeTrouble[];
  setState(state: NodeState): Promise<void>;
  /** Calls the listener when a node joins, leaves, or changes (except load and clock). Returns a function that unsubscribes. */
  subscribe(listener: (nodes: readonly ClusterNode[]) => void): () => void;
  /** Writes the row until the signal aborts, then removes the row. Never rejects. */
  keep(signal: AbortSignal): Promise<void>;
}

export interface NodeRegistryDeps {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Address for other nodes; undefined for a node without internal port. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
  /** Shared table of nodes; undefined for a file store. */
  readonly table: NodeTable | undefined;
  readonly log: Log;
  readonly wallMs?: () => number;
  readonly monotonicMs?: () => number;
  readonly intervalMs?: number;
}

/** Fields of a row that change while the node runs. */
export interface NodeMetrics {
  readonly gateways: number;
  readonly load: NodeLoad | null;
  /** State that is reported with the metrics. Takes precedence over `setState`. */
  readonly state?: NodeState;
}

/** Throws StartRefusal with the reason when this server cannot join the cluster. */
export async function openNodeRegistry(deps: NodeRegistryDeps): Promise<OwnNodeRegistry> {
  const registry = new OwnNodeRegistry(deps);
  await registry.open();
  return registry;
}

export class OwnNodeRegistry implements NodeRegistry {
  readonly self: NodeRegistry['self'];
  readonly isShared: boolean;
  readonly #deps: Required<NodeRegistryDeps>;
  readonly #instance = randomUUID();
  readonly #startedAtMs: number;
  readonly #listeners = new Set<(nodes: readonly ClusterNode[]) => void>();
  #metrics: () => Promise<NodeMetrics> = async () => ({ gateways: 1, load: null });
  #lastMetrics: NodeMetrics = { gateways: 1, load: null };
  #state: NodeState = 'running';
  #others: readonly ClusterNode[] = [];
  #takenBy: string | undefined;
  #clockAheadMs = 0;
  /** Start of the current series of successful reads, monotonic; undefined while the store is unavailable. */
  #seesSinceMs: number | undefined;
  /** Start of the current outage of the store, monotonic; undefined while the store is available. */
  #awaySinceMs: number | undefined;
  #notified = '';
  #beating: Promise<void> | undefined;

  constructor(deps: NodeRegistryDeps) {
    this.#deps = { wallMs: Date.now, monotonicMs: () => performance.now(), intervalMs: beatIntervalMs, ...deps };
    this.self = { id: deps.id, name: deps.name };
    this.isShared = deps.table !== undefined;
    this.#startedAtMs = Math.round(this.#deps.wallMs());
  }

  /** Reads the rows of other nodes. Writes no row yet. */
  async open(): Promise<void> {
    const { table, version } = this.#deps;
    if (!table) return;
    const [view, aheadMs] = await this.#timed(() => table.look());
    this.#clockAheadMs = aheadMs;
    if (Math.abs(aheadMs) > maxClockOffMs) {
      throw new StartRefusal(
        `Cannot start: the clock of this server is ${secondsOf(aheadMs)} the clock of the store; synchronize both with NTP.`,
      );
    }
    this.#take(view);
    const odd = this.#others.find((node) => !areFitting(node.version, version));
    if (odd) {
      throw new StartRefusal(
        `Cannot start: this server is release ${version}, and the node ${odd.name} of the cluster is ${odd.version}. All nodes of a cluster must be within one minor version.`,
      );
    }
  }

  /** Sets the function that measures the changing fields. If the function fails, the row keeps the previous values. */
  reportMetrics(metrics: () => Promise<NodeMetrics>): void {
    this.#metrics = metrics;
  }

  list(): readonly ClusterNode[] {
    return [{ id: this.self.id, isSelf: true, ...this.#row() }, ...this.#others];
  }

  isGone(id: string): boolean {
    if (id === this.self.id) return false;
    if (!this.isShared || id === '') return true;
    const hasSettled = this.#seesSinceMs !== undefined && this.#deps.monotonicMs() - this.#seesSinceMs >= settleMs;
    return hasSettled && !this.#others.some((node) => node.id === id);
  }

  troubles(): readonly NodeTrouble[] {
    if (!this.isShared) return [];
    const { address, version, wallMs, monotonicMs } = this.#deps;
    const found: NodeTrouble[] = [];
    if (this.#awaySinceMs !== undefined) {
      found.push({ kind: 'registry-away', sinceMs: Math.round(wallMs() - (monotonicMs() - this.#awaySinceMs)) });
    }
    if (Math.abs(this.#clockAheadMs) > maxClockOffMs) found.push({ kind: 'clock-off', aheadMs: this.#clockAheadMs });
    if (this.#takenBy !== undefined) found.push({ kind: 'id-taken', byName: this.#takenBy });
    for (const node of this.#others) {
      if (!areFitting(node.version, version)) found.push({ kind: 'version', name: node.name, version: node.version });
    }
    if (!address) found.push({ kind: 'no-address' });
    return found;
  }

  async setState(state: NodeState): Promise<void> {
    this.#state = state;
    await this.#beat();
  }

  subscribe(listener: (nodes: readonly ClusterNode[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#beat();
      await sleep(this.#deps.intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#beating;
    // If the store is unavailable, the row expires later.
    await this.#deps.table?.leave({ id: this.self.id, instance: this.#instance }).catch(() => undefined);
  }

  /** Writes the row. Writes never overlap: a call during a write waits and writes again. Never rejects. */
  async #beat(): Promise<void> {
    await this.#beating;
    this.#beating ??= this.#write().finally(() => {
      this.#beating = undefined;
    });
    await this.#beating;
  }

  async #write(): Promise<void> {
    await this.#takeMetrics();
    const { table, monotonicMs } = this.#deps;
    if (!table) return this.#notifyChanges();
    const text = JSON.stringify(this.#row());
    const row = { id: this.self.id, instance: this.#instance, startedAtMs: this.#startedAtMs, text };
    try {
      const [view, aheadMs] = await this.#timed(() => table.beat(row));
      this.#awaySinceMs = undefined;
      this.#seesSinceMs ??= monotonicMs();
      this.#noteClock(aheadMs);
      this.#take(view);
    } catch {
      // Known nodes stay in the list. The store logs the outage itself.
      this.#awaySinceMs ??= monotonicMs();
      this.#seesSinceMs = undefined;
    }
    this.#notifyChanges();
  }

  /** Measures the fields, for a limited time, so that the row is written even if a measurement hangs. */
  async #takeMetrics(): Promise<void> {
    const taken = this.#metrics().then(
      (metrics) => {
        this.#lastMetrics = metrics;
      },
      () => undefined,
    );
    await Promise.race([taken, sleep(metricsWithinMs, undefined, { ref: false })]);
  }

  /** Returns the result, and how far this machine's clock is ahead of the store's clock, milliseconds. */
  async #timed(ask: () => Promise<NodeView>): Promise<[NodeView, number]> {
    const { wallMs, monotonicMs } = this.#deps;
    const [startedMs, sentMs] = [wallMs(), monotonicMs()];
    const view = await ask();
    // Assumes that the store read its clock halfway between request and response.
    return [view, Math.round(startedMs + (monotonicMs() - sentMs) / 2 - view.nowMs)];
  }

  #noteClock(aheadMs: number): void {
    const [isOff, wasOff] = [aheadMs, this.#clockAheadMs].map((off) => Math.abs(off) > maxClockOffMs);
    this.#clockAheadMs = aheadMs;
    if (isOff && !wasOff)
      this.#deps.log.error(
        { aheadMs },
        'the clock of this node differs from the clock of the store: synchronize both with NTP',
      );
  }

  #take({ rows, isTaken }: NodeView): void {
    const nodes = rows.flatMap(({ id, text }) => {
      const row = id === this.self.id ? undefined : parseNodeRow(text);
      return row ? [{ id, isSelf: false, ...row }] : [];
    });
    this.#others = nodes.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
    const own = rows.find(({ id }) => id === this.self.id);
    const by = isTaken ? (parseNodeRow(own?.text ?? '')?.name ?? this.self.id) : undefined;
    if (by !== undefined && this.#takenBy === undefined) {
      this.#deps.log.error(
        { node: this.self.id, by },
        'another server has the id of this node: remove config/node.id on one of them',
      );
    }
    this.#takenBy = by;
  }

  #row(): NodeRow {
    const { address, version } = this.#deps;
    return {
      name: this.self.name,
      address: address ?? null,
      version,
      startedAt: new Date(this.#startedAtMs).toISOString(),
      state: this.#state,
      ...this.#lastMetrics,
      clockAheadMs: this.#clockAheadMs,
    };
  }

  #notifyChanges(): void {
    const nodes = this.list();
    const current = JSON.stringify(nodes.map(({ load: _, clockAheadMs: __, ...lasting }) => lasting));
    if (current === this.#notified) return;
    this.#notified = current;
    for (const listener of this.#listeners) listener(nodes);
  }
}

function secondsOf(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}
