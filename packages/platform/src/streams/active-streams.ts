// The table of published streams, updated by callbacks and corrected by reports of the media server.
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
import type { NodeRegistry } from '../nodes/node-registry.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Collection, CollectionType, Store } from '../store/store.ts';

/** A stream that is published according to a media server. */
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
  /** Node of the publisher; '' in rows of earlier releases. */
  readonly node: string;
  /**
   * The publisher that the current publisher replaced. Restored when the current publisher disconnects: the media server may have refused
   * the current publisher, because the previous publisher still sends.
   */
  readonly replaced?: Replaced | undefined;
  /** May include disconnected spare encoders. */
  readonly spares?: readonly SpareEncoder[] | undefined;
}

type SpareEncoder = Pick<Row, 'client_id' | 'param'>;

type Replaced = Pick<Row, 'client_id' | 'param' | 'update' | 'node'>;

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
    node: z.string().default(''),
    replaced: z
      .object({ client_id: z.string(), param: z.string(), update: z.string(), node: z.string().default('') })
      .optional(),
    spares: z.array(z.object({ client_id: z.string(), param: z.string() })).optional(),
  }),
  secret: true,
};

/**
 * A report does not overwrite streams that changed within this time before the report, milliseconds. The report may be older than a
 * callback.
 */
export const reportGraceMs = 5_000;
/** Maximum number of attempts of a write. Other nodes rarely write a row of this stream: more attempts indicate a bug. */
const maxWriteAttempts = 5;
/** Maximum number of stored spare encoders per stream. A media server admits fewer, but disconnected spares are not removed. */
const maxRememberedSpares = 8;
/** Query of a spare encoder. A spare encoder is the publisher until the main encoder connects. */
const sparePriority = /(?:^|[?&])priority=\d{1,2}(?:&|$)/;
/** Limits the streams with a remembered change, see `reportGraceMs`. */
const maxRememberedChanges = 10_000;

export interface ActiveStreams {
  /** Newest first. */
  list(): Promise<ActiveStream[]>;
  /** Includes spare encoders. */
  listEncoders(): Promise<ActiveStream[]>;
  onPublish(event: StreamEvent): Promise<void>;
  onSpare(event: StreamEvent): Promise<void>;
  onUnpublish(event: StreamEvent): Promise<void>;
  /** Applies the list of a media server. Returns true if the table changed. */
  reconcile(reported: readonly ReportedStream[], reportedAt: Date): Promise<boolean>;
  /** Ends the stream. With the `client_id` of a spare encoder, disconnects only this encoder. */
  kick(key: StreamOrSpare, actor: Actor): Promise<void>;
}

interface StreamOrSpare {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly client_id?: string | undefined;
}

export interface ActiveStreamsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly mediaServer: { disconnect(clientId: string): Promise<void> };
  /** Identifies rows that a report of this node may change: its own rows, and rows of nodes that have left. */
  readonly nodes: Pick<NodeRegistry, 'self' | 'isGone'>;
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

  async listEncoders(): Promise<ActiveStream[]> {
    const all = [...(await this.#rows.entries()).values()];
    return all
      .flatMap((row) => [row, ...(row.spares ?? []).map((spare) => ({ ...row, ...spare }))])
      .map(toActiveStream);
  }

  onSpare({ client_id, param, ...key }: StreamEvent): Promise<void> {
    return this.#oneAtATime(() => this.#change(streamUrl(key), (row) => row && withSpare(row, { client_id, param })));
  }

  onPublish(event: StreamEvent): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(event);
      const next = rowOfEvent(event, this.#self, this.#deps.now());
      this.#touch(url);
      await this.#change(url, (before) => {
        const isReplacing = before !== undefined && before.client_id !== event.client_id;
        return { ...next, replaced: isReplacing ? withoutStream(before) : undefined, spares: before?.spares };
      });
    });
  }

  onUnpublish(event: StreamEvent): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(event);
      this.#touch(url);
      await this.#change(url, (row) => {
        if (!row || row.client_id === event.client_id)
          return row?.replaced && { ...row, ...row.replaced, replaced: undefined };
        if (row.replaced?.client_id !== event.client_id) return row;
        const next = { ...row, replaced: undefined };
        return sparePriority.test(row.replaced.param) ? withSpare(next, row.replaced) : next;
      });
    });
  }

  reconcile(reported: readonly ReportedStream[], reportedAt: Date): Promise<boolean> {
    return this.#oneAtATime(async () => {
      const table = await this.#rows.entries();
      const reports = new Map(reported.map((stream) => [streamUrl(stream), stream]));
      let hasChanged = false;
      for (const url of new Set([...table.keys(), ...reports.keys()])) {
        const row = table.get(url);
        const report = reports.get(url);
        if ((this.#changedAtMs.get(url) ?? 0) > reportedAt.getTime() - reportGraceMs) continue;
        if ((row && !this.#isOurs(row)) || (row?.client_id === report?.publisherClientId && row?.node === this.#self))
          continue;
        const next = report && rowOfReport(report, row, this.#self, this.#deps.now());
        await this.#change(url, (current) => (current && !this.#isOurs(current) ? current : next));
        hasChanged = true;
      }
      return hasChanged;
    });
  }

  kick(key: StreamOrSpare, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const url = streamUrl(key);
      const row = await this.#rows.get(url);
      if (!row) throw new AppError('streamNotLive', verbatim(url));
      if (!row.client_id) throw new AppError('streamNotLive', because('stream.no-publisher', { url }));
      const spare = row.spares?.find(({ client_id }) => client_id === key.client_id);
      await this.#deps.mediaServer.disconnect(spare?.client_id ?? row.client_id);
      if (!spare) {
        this.#touch(url);
        await this.#rows.remove(url);
      }
      await this.#deps.audit.record('stream-kicked', actor, changed('kick.stream', { url }));
    });
  }

  #touch(url: string): void {
    this.#changedAtMs.delete(url);
    this.#changedAtMs.set(url, this.#deps.now().getTime());
    const oldest = this.#changedAtMs.keys().next().value;
    if (this.#changedAtMs.size > maxRememberedChanges && oldest !== undefined) this.#changedAtMs.delete(oldest);
  }

  get #self(): string {
    return this.#deps.nodes.self.id;
  }

  /** True if a report of this node may change the row. Callbacks of this node may also replace a row of another running node. */
  #isOurs({ node }: Row): boolean {
    return node === this.#self || this.#deps.nodes.isGone(node);
  }

  /** Reads, changes and writes atomically, because another node may have a publisher of the stream at this moment. */
  async #change(url: string, change: (before: Row | undefined) => Row | undefined): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { value, revision } = await this.#rows.read(url);
      const next = change(value);
      if (next === value) return;
      try {
        if (next) await this.#rows.put(url, next, revision);
        else await this.#rows.remove(url, revision);
        return;
      } catch (error) {
        const isStale = error instanceof AppError && error.errorName === 'settingsChanged';
        if (!isStale || attempt === maxWriteAttempts) throw error;
      }
    }
  }
}

function rowOfEvent(event: StreamEvent, node: string, now: Date): Row {
  const { vhost, app, stream, param, server_id, client_id } = event;
  return { vhost: vhost || defaultVhost, app, stream, param, server_id, client_id, update: now.toISOString(), node };
}

function rowOfReport(report: ReportedStream, before: Row | undefined, node: string, now: Date): Row {
  const { vhost, app, stream, publisherClientId } = report;
  const isKnown = before?.client_id === publisherClientId;
  const known = isKnown ? before : before?.replaced?.client_id === publisherClientId ? before.replaced : undefined;
  return {
    vhost,
    app,
    stream,
    param: known?.param ?? '',
    server_id: before?.server_id ?? '',
    client_id: publisherClientId,
    update: known?.update ?? now.toISOString(),
    node,
    spares: before?.spares,
  };
}

function withSpare(row: Row, { client_id, param }: SpareEncoder): Row {
  const others = (row.spares ?? []).filter((each) => each.client_id !== client_id);
  return { ...row, spares: [...others, { client_id, param }].slice(-maxRememberedSpares) };
}

function withoutStream({ client_id, param, update, node }: Row): Replaced {
  return { client_id, param, update, node };
}

/** Converts a row for the API. Omits empty fields, as API clients expect. */
function toActiveStream({ replaced: _, node: __, spares: ___, ...row }: Row): ActiveStream {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
}
