// Named stream keys for one stream or a pattern of streams, sent in place of the publish secret. An operator gives each encoder or customer
// a separate key. A key contains its row id, so that a check needs only one lookup.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActiveStream, AppError, because, changed, defaultVhost, maxStreamKeys } from '@srs-stack/contract';
import { matchesPattern } from '@srs-stack/playback/stream-pattern.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { secretsEqual } from '../access/secrets-equal.ts';
import { type Actor, thisServer } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { Collection, CollectionType, Store } from '../store/store.ts';
import type { ActiveStreams } from './active-streams.ts';
import { secretValues } from './publish-secret-match.ts';

const rowSchema = z.object({
  name: z.string(),
  pattern: z.string(),
  secret: z.string(),
  /** RFC 3339, like all times here. */
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUse: z.object({ at: z.string(), app: z.string(), stream: z.string(), ip: z.string() }).nullable(),
});
type Row = z.infer<typeof rowSchema>;
type StreamKeyRow = Row & { readonly id: string };

/** Rows of stream keys. Encrypted, not hashed: an operator may copy a key into an encoder months later. */
const streamKeys: CollectionType<Row> = { name: 'stream-keys', schema: rowSchema, secret: true };

const idBytes = 4;
/** Length of the secret part, bytes. 128 bits cannot be guessed and fit into the key field of encoders. */
const secretBytes = 16;
const secretForm = /^sk-([0-9a-f]{8})-[0-9a-f]{32}$/;
/** Publishers with Digest authentication share one read of all keys within this time, milliseconds: a read decrypts up to 1,000 rows. */
const sharedReadingMs = 1_000;
/** Interval of checks for publishers with an expired key, milliseconds. */
const expiryIntervalMs = 10_000;

export type StreamKeyVerdict = 'unknown' | 'expired' | 'other-stream' | 'admitted';

interface Publisher {
  readonly app: string;
  readonly stream: string;
  readonly ip: string;
  readonly param: string;
}

export interface StreamKeysDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
  readonly activeStreams: Pick<ActiveStreams, 'listEncoders' | 'kick'>;
}

export class StreamKeys {
  readonly #deps: StreamKeysDeps;
  readonly #rows: Collection<Row>;
  readonly #oneAtATime = createOneAtATime();
  #reading: { readonly atMs: number; readonly rows: Promise<ReadonlyMap<string, Row>> } | undefined;

  constructor(deps: StreamKeysDeps) {
    this.#deps = deps;
    this.#rows = deps.store.collection(streamKeys);
  }

  /** Newest first. */
  async list(): Promise<StreamKeyRow[]> {
    const all = [...(await this.#rows.entries())].map(([id, row]) => ({ id, ...row }));
    return all.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  /** Throws `streamKeysFull`, or `invalidRequest` for an expiry in the past. */
  create(draft: Pick<Row, 'name' | 'pattern' | 'expiresAt'>, actor: Actor): Promise<StreamKeyRow> {
    return this.#oneAtATime(async () => {
      const now = this.#deps.now();
      if (draft.expiresAt && Date.parse(draft.expiresAt) <= now.getTime()) {
        throw new AppError('invalidRequest', because('watching.stream-key-expired'));
      }
      if ((await this.#rows.entries()).size >= maxStreamKeys) throw new AppError('streamKeysFull');
      const { name, pattern, expiresAt } = draft;
      const id = randomBytes(idBytes).toString('hex');
      const secret = `sk-${id}-${randomBytes(secretBytes).toString('hex')}`;
      const row = { name, pattern, secret, createdAt: now.toISOString(), expiresAt, lastUse: null };
      await this.#rows.put(id, row);
      await this.#deps.audit.record('setting-changed', actor, changed('publish.key-made', { name, pattern }));
      return { id, ...row };
    });
  }

  /** Removes the key and disconnects its publishers. Resolves with their number. Throws `notFound`. */
  async revoke(id: string, actor: Actor): Promise<number> {
    const row = await this.#oneAtATime(async () => {
      const found = await this.#rows.get(id);
      if (!found) throw new AppError('notFound', because('watching.key-unknown', { id }));
      await this.#rows.remove(id);
      return found;
    });
    const active = await this.#deps.activeStreams.listEncoders();
    const ended = await this.#endAll(
      active.filter(({ param = '' }) => idOf(param) === id),
      actor,
    );
    const { name } = row;
    await this.#deps.audit.record('setting-changed', actor, changed('publish.key-revoked', { name, ended }));
    return ended;
  }

  /** Checks the stream key of a publisher and records the use of an accepted key. Throws while the store is unavailable. */
  async judge(publisher: Publisher): Promise<StreamKeyVerdict> {
    const id = idOf(publisher.param);
    const row = id === undefined ? undefined : await this.#rows.get(id);
    if (id === undefined || !row) return 'unknown';
    if (!secretValues(publisher.param).some((value) => secretsEqual(value, row.secret))) return 'unknown';
    if (this.#isExpired(row)) return 'expired';
    const { app, stream, ip } = publisher;
    if (!matchesPattern(row.pattern, `${app}/${stream}`)) return 'other-stream';
    await this.#note(id, { at: this.#deps.now().toISOString(), app, stream, ip });
    return 'admitted';
  }

  /** Secrets of keys that match the stream, up to a second old. `judge` makes the final decision. Throws while the store is unavailable. */
  async secretsFor({ app, stream }: Pick<Publisher, 'app' | 'stream'>): Promise<string[]> {
    const atMs = this.#deps.now().getTime();
    const isRecent = this.#reading && Math.abs(atMs - this.#reading.atMs) < sharedReadingMs;
    if (!isRecent) this.#reading = { atMs, rows: this.#rows.entries() };
    const rows = await this.#reading!.rows;
    return [...rows.values()]
      .filter(({ pattern }) => matchesPattern(pattern, `${app}/${stream}`))
      .map(({ secret }) => secret);
  }

  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.endExpired().catch((error) =>
        this.#deps.log.error({ err: error }, 'expired stream keys could not be checked'),
      );
      await sleep(expiryIntervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async endExpired(): Promise<void> {
    const active = (await this.#deps.activeStreams.listEncoders()).filter(
      ({ param = '' }) => idOf(param) !== undefined,
    );
    if (active.length === 0) return;
    const rows = await this.#rows.entries();
    const isOver = ({ param = '' }: ActiveStream) => {
      const row = rows.get(idOf(param) ?? '');
      return row !== undefined && this.#isExpired(row);
    };
    await this.#endAll(active.filter(isOver), thisServer);
  }

  #isExpired({ expiresAt }: Row): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.#deps.now().getTime();
  }

  /** Records the use. A failed write (full disk) does not refuse the publisher. */
  #note(id: string, lastUse: Row['lastUse']): Promise<void> {
    return this.#oneAtATime(async () => {
      const row = await this.#rows.get(id);
      if (row) await this.#rows.put(id, { ...row, lastUse });
    }).catch((error) => this.#deps.log.error({ err: error, key: id }, 'last use of a stream key could not be stored'));
  }

  async #endAll(streams: readonly ActiveStream[], actor: Actor): Promise<number> {
    const ended = await Promise.all(
      streams.map(({ vhost = defaultVhost, app = '', stream = '', client_id }) =>
        this.#deps.activeStreams.kick({ vhost, app, stream, client_id }, actor).then(
          () => 1,
          (error) => {
            this.#deps.log.warn(
              { err: error, app, stream },
              'publisher with a revoked or expired stream key could not be disconnected',
            );
            return 0;
          },
        ),
      ),
    );
    return ended.reduce<number>((sum, each) => sum + each, 0);
  }
}

function idOf(param: string): string | undefined {
  return secretValues(param)
    .map((value) => secretForm.exec(value)?.[1])
    .find((id) => id !== undefined);
}
