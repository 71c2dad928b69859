// Hours of live streams per month: counted from the table of active streams, stored as they pass, so that a restart or a
// kill loses seconds at most. When they are used up new publishers are refused; who is live stays live.
import { type ActiveStream, AppError, changed, type StreamEvent, verbatim } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { streamUrl } from '../callbacks/stream-url.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { openSetting, type Setting } from '../store/setting.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { usageMonthOf } from './usage-month.ts';

/** Between two counts, milliseconds: what a kill can lose of a stream that ends while nobody counts. */
const countIntervalMs = 10_000;
/** Writes of one count while other nodes of a cluster count at the same time. */
const maxAttempts = 8;
const msPerHour = 3_600_000;

interface UsageLimit {
  readonly totalHours: number | null;
  readonly startDate: string;
}
const firstDay = '2026-01-01';
const limitDocument: DocumentType<UsageLimit> = {
  key: 'usage-limit',
  schema: z.object({ totalHours: z.number().positive().nullable(), startDate: z.string() }),
  empty: { totalHours: null, startDate: firstDay },
};

interface Usage {
  /** Start of the month that is counted, milliseconds since 1970. */
  readonly monthStartMs: number;
  readonly consumedMs: number;
  /** Live streams by URL: their publisher, and up to when they are counted. */
  readonly counted: Readonly<Record<string, { readonly client: string; readonly untilMs: number }>>;
}
const usageDocument: DocumentType<Usage> = {
  key: 'usage',
  schema: z.object({
    monthStartMs: z.number(),
    consumedMs: z.number().nonnegative(),
    counted: z.record(z.string(), z.object({ client: z.string(), untilMs: z.number() })),
  }),
  empty: { monthStartMs: 0, consumedMs: 0, counted: {} },
};

export interface UsageLimitService {
  query(): Promise<{
    totalHours: number | null;
    startDate: string;
    periodStart: string;
    periodEnd: string;
    consumedSeconds: number;
    liveStreams: number;
    isExhausted: boolean;
    revision: string;
  }>;
  change(next: {
    totalHours: number | null;
    startDate?: string | undefined;
    revision?: string | undefined;
    actor: Actor;
  }): Promise<void>;
  /** Throws `usageLimitReached` when no hours are left this month. */
  requireHoursLeft(): Promise<void>;
  /** Counts what has passed since the last count; nothing while the media server does not answer. */
  count(): Promise<void>;
  /** A publisher has left: counts its last seconds. */
  onUnpublish(event: StreamEvent): Promise<void>;
  /** Counts until the signal aborts. */
  keep(signal: AbortSignal): Promise<void>;
}

export interface UsageLimitDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
  /** The table of active streams may be old after a restart; what the media server lists is not. */
  readonly mediaServer: { listStreams(): Promise<readonly LiveStream[]> };
}

interface LiveStream {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly isPublished: boolean;
  readonly publisherClientId: string;
}

export async function openUsageLimit(deps: UsageLimitDeps): Promise<UsageLimitService> {
  const { store, audit } = deps;
  const limit = await openSetting({ store, audit, type: limitDocument });
  const oneAtATime = createOneAtATime();
  const usage = await store.get(usageDocument);
  return new MonthlyUsageLimit(deps, usage, limit, oneAtATime);
}

class MonthlyUsageLimit implements UsageLimitService {
  readonly #deps: UsageLimitDeps;
  #usage: Usage;
  readonly #limit: Setting<UsageLimit>;
  readonly #oneAtATime: ReturnType<typeof createOneAtATime>;

  constructor(
    deps: UsageLimitDeps,
    usage: Usage,
    limit: Setting<UsageLimit>,
    oneAtATime: ReturnType<typeof createOneAtATime>,
  ) {
    this.#deps = deps;
    this.#usage = usage;
    this.#limit = limit;
    this.#oneAtATime = oneAtATime;
  }

  count(): Promise<void> {
    return this.#oneAtATime(async () => {
      const streams = await this.#deps.mediaServer.listStreams().catch(() => undefined);
      if (!streams) return;
      const since = startOf(await this.#deps.activeStreams.list());
      const live = streams
        .filter(({ isPublished }) => isPublished)
        .map((each) => ({ url: streamUrl(each), client: each.publisherClientId }))
        .map((each) => ({ ...each, sinceMs: since.get(`${each.url} ${each.client}`) }));
      const nowMs = this.#deps.now().getTime();
      await this.#update((before) => countUp(before, live, this.#monthStartMs(), nowMs));
    });
  }

  onUnpublish(event: StreamEvent): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(event);
      const sinceMs = startOf(await this.#deps.activeStreams.list()).get(`${url} ${event.client_id}`);
      const nowMs = this.#deps.now().getTime();
      const monthStartMs = this.#monthStartMs();
      await this.#update((before) => {
        if (before.counted[url]?.client !== event.client_id && sinceMs === undefined) return before;
        const { consumedMs } = countUp(before, [{ url, client: event.client_id, sinceMs }], monthStartMs, nowMs);
        const { [url]: _, ...counted } = before.counted;
        return { monthStartMs, consumedMs, counted };
      });
    });
  }

  async query(): Promise<{
    totalHours: number | null;
    startDate: string;
    periodStart: string;
    periodEnd: string;
    consumedSeconds: number;
    liveStreams: number;
    isExhausted: boolean;
    revision: string;
  }> {
    await this.count();
    const { totalHours, startDate } = this.#limit.current();
    const { start, end } = usageMonthOf(startDate, this.#deps.now());
    return {
      totalHours,
      startDate,
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
      consumedSeconds: Math.floor(this.#usage.consumedMs / 1000),
      liveStreams: Object.keys(this.#usage.counted).length,
      isExhausted: this.#isExhausted(),
      revision: this.#limit.revision(),
    };
  }

  async change({
    totalHours,
    startDate,
    revision,
    actor,
  }: {
    totalHours: number | null;
    startDate?: string | undefined;
    revision?: string | undefined;
    actor: Actor;
  }): Promise<void> {
    const detail =
      totalHours === null ? changed('limits.hours-unlimited') : changed('limits.hours', { hours: totalHours });
    await this.#limit.save((before) => ({ totalHours, startDate: startDate ?? before.startDate }), {
      revision,
      actor,
      detail,
    });
  }

  async requireHoursLeft(): Promise<void> {
    if (this.#limit.current().totalHours === null) return;
    // What was counted last decides while the store is away: it is no reason to refuse anybody.
    await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours not counted'));
    const { totalHours, startDate } = this.#limit.current();
    if (!this.#isExhausted()) return;
    const { end } = usageMonthOf(startDate, this.#deps.now());
    throw new AppError('usageLimitReached', verbatim(`${totalHours} h, the next month begins ${end.toISOString()}`));
  }

  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours not counted'));
      await pause(countIntervalMs, signal);
    }
    await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours not counted'));
  }

  /** Other nodes of a cluster count too: each stream says up to when it is counted, and no count is written over another. */
  async #update(change: (before: Usage) => Usage): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { value: before, revision } = await this.#deps.store.read(usageDocument);
      const next = change(before);
      this.#usage = before;
      if (JSON.stringify(next) === JSON.stringify(before)) return;
      const isKept = await this.#deps.store.set(usageDocument, next, revision).then(
        () => true,
        (error: unknown) => {
          if (attempt < maxAttempts && error instanceof AppError && error.errorName === 'settingsChanged') return false;
          throw error;
        },
      );
      if (!isKept) continue;
      this.#usage = next;
      return;
    }
  }

  #monthStartMs() {
    return usageMonthOf(this.#limit.current().startDate, this.#deps.now()).start.getTime();
  }

  #isExhausted() {
    const { totalHours } = this.#limit.current();
    return totalHours !== null && this.#usage.consumedMs >= totalHours * msPerHour;
  }
}

interface Live {
  readonly url: string;
  readonly client: string;
  /** When it was let in; undefined while nobody knows. */
  readonly sinceMs: number | undefined;
}

/** Adds what each live stream has sent since it was counted last. A new month begins at zero. Pure. */
function countUp(before: Usage, live: readonly Live[], monthStartMs: number, nowMs: number): Usage {
  let consumedMs = before.monthStartMs === monthStartMs ? before.consumedMs : 0;
  const counted: Record<string, { client: string; untilMs: number }> = {};
  for (const { url, client, sinceMs = nowMs } of live) {
    const known = before.counted[url];
    const fromMs = known?.client === client ? known.untilMs : sinceMs;
    consumedMs += Math.max(0, nowMs - Math.max(fromMs, monthStartMs));
    counted[url] = { client, untilMs: Math.max(nowMs, fromMs) };
  }
  return { monthStartMs, consumedMs, counted };
}

/** When each publisher was let in, by URL and client. */
function startOf(rows: readonly ActiveStream[]): Map<string, number> {
  return new Map(
    rows.flatMap(({ vhost = '', app = '', stream = '', client_id = '', update = '' }) => {
      const atMs = Date.parse(update);
      return Number.isNaN(atMs) ? [] : [[`${streamUrl({ vhost, app, stream })} ${client_id}`, atMs] as const];
    }),
  );
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms).unref();
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
