// Limits the hours of live streams per month. Counts the streams that the media server lists, and stores the hours every few seconds, so
// that a crash loses only seconds. Above the limit, new publishers are refused; live streams continue.
import { type ActiveStream, AppError, type ResponseOf, type StreamEvent, verbatim } from '@srs-stack/contract';
import { usageLimit } from '@srs-stack/contract/endpoints/settings/usage-limit.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { streamUrl } from '../callbacks/stream-url.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import { type DeclaredSetting, openDeclared } from '../store/setting.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { usageMonthOf } from './usage-month.ts';

/** Interval of counts, milliseconds. After a kill, at most this time of a stream is not counted. */
const countIntervalMs = 10_000;
/** Maximum number of attempts to write a count: other nodes may write at the same time. */
const maxAttempts = 8;
const msPerHour = 3_600_000;

type UsageLimit = typeof usageLimit.document.empty;

interface Usage {
  /** Start of the current month, milliseconds since 1970. */
  readonly monthStartMs: number;
  readonly consumedMs: number;
  /** Live streams by URL: publisher, and the end of the counted time. */
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

export interface UsageLimitService extends Pick<DeclaredSetting<UsageLimit>, 'change'> {
  query(): Promise<ResponseOf<typeof usageLimit.query>>;
  /** Throws `usageLimitReached`. */
  requireHoursLeft(): Promise<void>;
  /** Counts the time since the last count. Does nothing while the media server is unavailable. */
  count(): Promise<void>;
  onUnpublish(event: StreamEvent): Promise<void>;
  keep(signal: AbortSignal): Promise<void>;
}

export interface UsageLimitDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
  /** Current streams. After a restart, the table of active streams may be outdated. */
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
  const limit = await openDeclared(usageLimit, { store, audit });
  const oneAtATime = createOneAtATime();
  const usage = await store.get(usageDocument);
  return new MonthlyUsageLimit(deps, usage, limit, oneAtATime);
}

class MonthlyUsageLimit implements UsageLimitService {
  readonly #deps: UsageLimitDeps;
  #usage: Usage;
  readonly #limit: DeclaredSetting<UsageLimit>;
  readonly #oneAtATime: ReturnType<typeof createOneAtATime>;

  constructor(
    deps: UsageLimitDeps,
    usage: Usage,
    limit: DeclaredSetting<UsageLimit>,
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

  async query(): Promise<ResponseOf<typeof usageLimit.query>> {
    await this.count();
    const { start, end } = usageMonthOf(this.#limit.current().startDate, this.#deps.now());
    return {
      ...this.#limit.query(),
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
      consumedSeconds: Math.floor(this.#usage.consumedMs / 1000),
      liveStreams: Object.keys(this.#usage.counted).length,
      isExhausted: this.#isExhausted(),
    };
  }

  change: UsageLimitService['change'] = (values, by) => this.#limit.change(values, by);

  async requireHoursLeft(): Promise<void> {
    if (this.#limit.current().totalHours === null) return;
    // The last count stays in use while the store is unavailable: an outage refuses no publisher.
    await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours could not be counted'));
    const { totalHours, startDate } = this.#limit.current();
    if (!this.#isExhausted()) return;
    const { end } = usageMonthOf(startDate, this.#deps.now());
    throw new AppError(
      'usageLimitReached',
      verbatim(`the limit is ${totalHours} h, the next month begins ${end.toISOString()}`),
    );
  }

  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours could not be counted'));
      await pause(countIntervalMs, signal);
    }
    await this.count().catch((error) => this.#deps.log.error({ err: error }, 'streaming hours could not be counted'));
  }

  /**
   * Updates the stored usage. Other nodes also count, so no write may overwrite another write. For each stream, the end of the counted time
   * is stored.
   */
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
  /** Undefined while the start of the publication is unknown. */
  readonly sinceMs: number | undefined;
}

/** Adds the time of each live stream since its last count. A new month starts at zero. */
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
