// Events with increasing ids, so that clients of the event stream continue after an interruption. The number of events is limited. Events
// are sent to connected clients even if the store fails.
import { type MonitorEvent, monitorEvent, type WirePhrase } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import type { LogType, Store, Log as StoreLog } from '../store/store.ts';

/** Maximum number of stored events: some weeks of normal use, 200 bytes each. */
const eventCapacity = 2_000;
/** Identical events within this time are reported once, milliseconds. A refused encoder retries every second. */
const repeatQuietMs = 60_000;
/** Maximum length of subject or detail, characters. A refused client can choose any name. */
const maxTextLength = 300;
/** Kinds of events that are reported even if identical. */
const neverQuiet: readonly MonitorEvent['kind'][] = ['publish', 'unpublish', 'setting-changed', 'access-changed'];

const eventLog: LogType<MonitorEvent> = { name: 'monitor-events', schema: monitorEvent, capacity: eventCapacity };

export type EventFacts = Pick<MonitorEvent, 'kind'> &
  Partial<Pick<MonitorEvent, 'severity' | 'subject' | 'detail' | 'change' | 'ip'>>;

export interface MonitorEvents {
  /** Returns immediately and never throws. */
  add(facts: EventFacts): void;
  /** Newest first. */
  newest(count: number): MonitorEvent[];
  /** The newest `count` events after `id`, oldest first. */
  since(id: number, count: number): MonitorEvent[];
  /** The newest `count` events between two times, oldest first. */
  between(fromMs: number, toMs: number, count: number): MonitorEvent[];
  counts(): ReadonlyMap<MonitorEvent['kind'], number>;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: MonitorEvent) => void): () => void;
}

export async function openMonitorEvents(deps: { store: Store; log: Log; now: () => Date }): Promise<MonitorEvents> {
  const stored = deps.store.log(eventLog);
  const events = (await stored.newest(eventCapacity)).reverse();
  return new StoredMonitorEvents(deps, stored, events);
}

class StoredMonitorEvents implements MonitorEvents {
  readonly #deps: { store: Store; log: Log; now: () => Date };
  readonly #stored: StoreLog<MonitorEvent>;
  readonly #events: MonitorEvent[];
  readonly #listeners = new Set<(event: MonitorEvent) => void>();
  readonly #reportedAtMs = new Map<string, number>();
  readonly #counts = new Map<MonitorEvent['kind'], number>();
  #hasFailed = false;

  constructor(
    deps: { store: Store; log: Log; now: () => Date },
    stored: StoreLog<MonitorEvent>,
    events: MonitorEvent[],
  ) {
    this.#deps = deps;
    this.#stored = stored;
    this.#events = events;
  }

  add(facts: EventFacts): void {
    const at = this.#deps.now();
    this.#counts.set(facts.kind, (this.#counts.get(facts.kind) ?? 0) + 1);
    if (this.#isRepeated(facts, at.getTime())) return;
    const id = (this.#events.at(-1)?.id ?? 0) + 1;
    const { kind, severity = 'info', ip = '' } = facts;
    const [subject, detail] = [facts.subject, facts.detail].map((text = '') => text.slice(0, maxTextLength)) as [
      string,
      string,
    ];
    const change = facts.change && withShortTexts(facts.change);
    const event: MonitorEvent = {
      id,
      at: at.toISOString(),
      kind,
      severity,
      subject,
      detail,
      ip,
      ...(change && { change }),
    };
    this.#events.push(event);
    if (this.#events.length > eventCapacity) this.#events.shift();
    // Stores the event before sending. Unless the store fails, a restart then never reuses an id that a client has received.
    const storing = this.#keep(event).then(() => {
      for (const listener of this.#listeners) listener(event);
    });
    inBackground(storing, this.#deps.log, 'event could not be sent to the consoles');
  }

  newest(count: number): MonitorEvent[] {
    return this.#events.slice(-count).reverse();
  }

  since(id: number, count: number): MonitorEvent[] {
    return this.#events.filter((event) => event.id > id).slice(-count);
  }

  between(fromMs: number, toMs: number, count: number): MonitorEvent[] {
    const isWithin = ({ at }: MonitorEvent) => Date.parse(at) >= fromMs && Date.parse(at) <= toMs;
    return this.#events.filter(isWithin).slice(-count);
  }

  counts(): ReadonlyMap<MonitorEvent['kind'], number> {
    return this.#counts;
  }

  subscribe(listener: (event: MonitorEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #isRepeated({ kind, subject = '', detail = '' }: EventFacts, atMs: number): boolean {
    if (neverQuiet.includes(kind)) return false;
    const key = `${kind} ${subject} ${detail}`;
    const before = this.#reportedAtMs.get(key);
    if (before !== undefined && Math.abs(atMs - before) < repeatQuietMs) return true;
    this.#reportedAtMs.delete(key);
    this.#reportedAtMs.set(key, atMs);
    const oldest = this.#reportedAtMs.keys().next().value;
    if (this.#reportedAtMs.size > eventCapacity && oldest !== undefined) this.#reportedAtMs.delete(oldest);
    return false;
  }

  #keep(event: MonitorEvent) {
    return this.#stored.append(event).then(
      () => {
        this.#hasFailed = false;
      },
      (error) => {
        if (!this.#hasFailed) this.#deps.log.error({ err: error }, 'events not stored');
        this.#hasFailed = true;
      },
    );
  }
}

function withShortTexts(phrase: WirePhrase): WirePhrase {
  const values = Object.entries(phrase.values).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.slice(0, maxTextLength) : value] as const;
  });
  return { key: phrase.key, values: Object.fromEntries(values) };
}
