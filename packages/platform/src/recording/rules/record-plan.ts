// The recording plan: a stream in the plan is recorded only at its planned times. The rules decide about all other streams.
import { randomUUID } from 'node:crypto';
import {
  AppError,
  because,
  changed,
  maxPlanEntries,
  type PlanEntry,
  type PlanRow,
  planEntry,
  switched,
} from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { holdDocument } from '../../store/held-document.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { checkFilters, passesFilters } from './name-filter.ts';
import { type PlanWindow, windowNotOver } from './plan-windows.ts';

interface StreamName {
  readonly app: string;
  readonly stream: string;
}

const planDocument: DocumentType<{ entries: PlanEntry[] }> = {
  key: 'record-plan',
  schema: z.object({ entries: z.array(planEntry) }),
  empty: { entries: [] },
};

export interface RecordPlan {
  /** Entries with their state. @param running streams that are being recorded. */
  rows(running: readonly StreamName[]): PlanRow[];
  /** Adds an entry, or replaces the entry with this id. Throws `invalidRequest` or `notFound`. */
  save(entry: Omit<PlanEntry, 'id'> & { id?: string | undefined }, actor: Actor): Promise<{ id: string }>;
  remove(id: string, actor: Actor): Promise<void>;
  /** True if the stream is in the plan. */
  governs(source: StreamName): boolean;
  /** The first entry for the stream whose window overlaps `span`. */
  entryAt(source: StreamName, span: PlanWindow): PlanEntry | undefined;
  /** Next start or end of a window for the stream, milliseconds since 1970; undefined for never. */
  nextChangeMs(source: StreamName): number | undefined;
}

export const noPlan: Pick<RecordPlan, 'governs' | 'entryAt'> = { governs: () => false, entryAt: () => undefined };

export async function openRecordPlan(deps: { store: Store; audit: AuditTrail; now: () => Date }): Promise<RecordPlan> {
  const { store, audit, now } = deps;
  const oneAtATime = createOneAtATime();
  const held = await holdDocument(store, planDocument);
  const windows = createWindowCache();
  const entriesOf = ({ app, stream }: StreamName) =>
    held.current().entries.filter(({ enabled, glob }) => enabled && passesFilters([glob], `/${app}/${stream}`));

  const put = async (entries: PlanEntry[]) => held.replace(held.current(), { entries });
  return {
    rows: (running) => held.current().entries.map((entry) => toPlanRow(entry, running, now().getTime())),
    save: ({ id, ...fields }, actor) =>
      oneAtATime(async () => {
        checkFilters([fields.glob]);
        const { entries } = held.current();
        const isNew = id === undefined;
        if (isNew && entries.length >= maxPlanEntries)
          throw new AppError('invalidRequest', because('record.plan-full', { maximum: maxPlanEntries }));
        if (!isNew && !entries.some((each) => each.id === id)) throw noEntry(id);
        const entry: PlanEntry = { ...fields, id: id ?? randomUUID() };
        await put(isNew ? [...entries, entry] : entries.map((each) => (each.id === id ? entry : each)));
        const { glob, start, end, zone, enabled, date, days } = entry;
        const when = date || days.join(' ');
        const change = changed('record.planned', { glob, when, start, end, zone, state: switched(enabled) });
        await audit.record('setting-changed', actor, change);
        return { id: entry.id };
      }),
    remove: (id, actor) =>
      oneAtATime(async () => {
        const { entries } = held.current();
        const entry = entries.find((each) => each.id === id);
        if (!entry) throw noEntry(id);
        await put(entries.filter((each) => each !== entry));
        await audit.record('setting-changed', actor, changed('record.unplanned', { glob: entry.glob }));
      }),
    governs: (source) => entriesOf(source).length > 0,
    entryAt: (source, { fromMs, toMs }) =>
      entriesOf(source).find((entry) => (windows(entry, fromMs)?.fromMs ?? Number.POSITIVE_INFINITY) < toMs),
    nextChangeMs(source) {
      const nowMs = now().getTime();
      const changes = entriesOf(source).flatMap((entry) => {
        const window = windows(entry, nowMs);
        return window ? [window.fromMs > nowMs ? window.fromMs : window.toMs] : [];
      });
      return changes.length > 0 ? Math.min(...changes) : undefined;
    },
  };
}

const noEntry = (id: string) => new AppError('notFound', because('record.no-plan-entry', { id }));

/** Caches the result of `windowNotOver` per entry, because every segment needs the result. */
function createWindowCache(): (entry: PlanEntry, atMs: number) => PlanWindow | undefined {
  const known = new WeakMap<PlanEntry, { sinceMs: number; window: PlanWindow | undefined }>();
  return (entry, atMs) => {
    const before = known.get(entry);
    const isValid = before && atMs >= before.sinceMs && atMs < (before.window?.toMs ?? Number.POSITIVE_INFINITY);
    if (isValid) return before.window;
    const window = windowNotOver(entry, atMs);
    known.set(entry, { sinceMs: atMs, window });
    return window;
  };
}

function toPlanRow(entry: PlanEntry, running: readonly StreamName[], nowMs: number): PlanRow {
  const first = windowNotOver(entry, nowMs);
  const isNow = first !== undefined && first.fromMs <= nowMs;
  const next = isNow ? windowNotOver(entry, first.toMs) : first;
  const names = running.map(({ app, stream }) => `${app}/${stream}`);
  return {
    ...entry,
    state: entry.enabled ? (isNow ? 'running' : next ? 'waiting' : 'over') : 'off',
    current: isNow ? toTimes(first) : null,
    next: next ? toTimes(next) : null,
    recording: [...new Set(names.filter((name) => passesFilters([entry.glob], `/${name}`)))],
  };
}

function toTimes({ fromMs, toMs }: PlanWindow) {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}
