// The table of streams being published now, kept from callbacks and corrected by what the media server reports.
import {
  type ActiveStream,
  AppError,
  because,
  changed,
  defaultVhost,
  type StreamEvent,
  verbatim,
} from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { streamUrl } from '../callbacks/stream-url.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Collection, CollectionType, Store } from '../store/store.ts';

/** A stream a media server reports as published. */
export interface ReportedStream {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly publisherClientId: string;
}

interface Row {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly param: string;
  readonly server_id: string;
  readonly client_id: string;
  /** RFC 3339. */
  readonly update: string;
  /** The publisher a newer one replaced in the table; back when the newer one leaves (it was refused as busy). */
  readonly replaced?: { readonly client_id: string; readonly param: string; readonly update: string } | undefined;
}

const activeStreams: CollectionType<Row> = {
  name: 'active-streams',
  schema: z.object({
    vhost: z.string(),
    app: z.string(),
    stream: z.string(),
    param: z.string(),
    server_id: z.string(),
    client_id: z.string(),
    update: z.string(),
    replaced: z.object({ client_id: z.string(), param: z.string(), update: z.string() }).optional(),
  }),
  secret: true,
};

/** A report may be older than a callback by the time it is applied; streams that changed since then stay. */
export const reportGraceMs = 5_000;
/** Streams whose last change is remembered for that. */
const maxRememberedChanges = 10_000;

export interface ActiveStreams {
  /** Newest first. */
  list(): Promise<ActiveStream[]>;
  onPublish(event: StreamEvent): Promise<void>;
  onUnpublish(event: StreamEvent): Promise<void>;
  /** Applies a media server's list; true when the table changed. */
  reconcile(reported: readonly ReportedStream[], reportedAt: Date): Promise<boolean>;
  kick(key: { vhost: string; app: string; stream: string }, actor: Actor): Promise<void>;
}

export interface ActiveStreamsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly mediaServer: { disconnect(clientId: string): Promise<void> };
}

export function createActiveStreams(deps: ActiveStreamsDeps): ActiveStreams {
  return new StoredActiveStreams(deps);
}

class StoredActiveStreams implements ActiveStreams {
  readonly #deps: ActiveStreamsDeps;
  readonly #rows: Collection<Row>;
  readonly #oneAtATime = createOneAtATime();
  readonly #changedAtMs = new Map<string, number>();

  constructor(deps: ActiveStreamsDeps) {
    this.#deps = deps;
    this.#rows = deps.store.collection(activeStreams);
  }

  async list(): Promise<ActiveStream[]> {
    const all = [...(await this.#rows.entries()).values()];
    return all.sort((a, b) => b.update.localeCompare(a.update)).map(toActiveStream);
  }

  onPublish(event: StreamEvent): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(event);
      const before = await this.#rows.get(url);
      const isReplacing = before !== undefined && before.client_id !== event.client_id;
      this.#touch(url);
      await this.#rows.put(url, {
        ...rowOfEvent(event, this.#deps.now()),
        replaced: isReplacing ? withoutStream(before) : undefined,
      });
    });
  }

  onUnpublish(event: StreamEvent): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(event);
      const row = await this.#rows.get(url);
      if (!row) return;
      this.#touch(url);
      if (row.client_id !== event.client_id) {
        if (row.replaced?.client_id === event.client_id) await this.#rows.put(url, { ...row, replaced: undefined });
      } else if (row.replaced) {
        await this.#rows.put(url, { ...row, ...row.replaced, replaced: undefined });
      } else {
        await this.#rows.remove(url);
      }
    });
  }

  reconcile(reported: readonly ReportedStream[], reportedAt: Date): Promise<boolean> {
    return this.#oneAtATime(async () => {
      const table = await this.#rows.entries();
      const reports = new Map(reported.map((stream) => [streamUrl(stream), stream]));
      let hasChanged = false;
      for (const url of new Set([...table.keys(), ...reports.keys()])) {
        if ((this.#changedAtMs.get(url) ?? 0) > reportedAt.getTime() - reportGraceMs) continue;
        hasChanged = (await this.#reconcileRow(url, table.get(url), reports.get(url))) || hasChanged;
      }
      return hasChanged;
    });
  }

  kick(key: { vhost: string; app: string; stream: string }, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(key);
      const row = await this.#rows.get(url);
      if (!row) throw new AppError('streamNotLive', verbatim(url));
      if (!row.client_id) throw new AppError('streamNotLive', because('stream.no-publisher', { url }));
      await this.#deps.mediaServer.disconnect(row.client_id);
      this.#touch(url);
      await this.#rows.remove(url);
      await this.#deps.audit.record('stream-kicked', actor, changed('kick.stream', { url }));
    });
  }

  #touch(url: string): void {
    this.#changedAtMs.delete(url);
    this.#changedAtMs.set(url, this.#deps.now().getTime());
    const oldest = this.#changedAtMs.keys().next().value;
    if (this.#changedAtMs.size > maxRememberedChanges && oldest !== undefined) this.#changedAtMs.delete(oldest);
  }

  async #reconcileRow(url: string, row: Row | undefined, report: ReportedStream | undefined) {
    if (!report) {
      await this.#rows.remove(url);
    } else if (row?.client_id !== report.publisherClientId) {
      await this.#rows.put(url, rowOfReport(report, row, this.#deps.now()));
    } else {
      return false;
    }
    return true;
  }
}

function rowOfEvent(event: StreamEvent, now: Date): Row {
  const { vhost, app, stream, param, server_id, client_id } = event;
  return { vhost: vhost || defaultVhost, app, stream, param, server_id, client_id, update: now.toISOString() };
}

function rowOfReport(report: ReportedStream, before: Row | undefined, now: Date): Row {
  const { vhost, app, stream, publisherClientId } = report;
  const known = before?.replaced?.client_id === publisherClientId ? before.replaced : undefined;
  return {
    vhost,
    app,
    stream,
    param: known?.param ?? '',
    server_id: before?.server_id ?? '',
    client_id: publisherClientId,
    update: known?.update ?? now.toISOString(),
  };
}

function withoutStream({ client_id, param, update }: Row): NonNullable<Row['replaced']> {
  return { client_id, param, update };
}

/** Empty fields are left out, as clients of this API expect. */
function toActiveStream({ replaced: _, ...row }: Row): ActiveStream {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
}
