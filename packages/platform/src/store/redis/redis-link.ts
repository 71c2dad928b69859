// The way of one control plane to its store in Redis: runs the scripts, hears what others change, and knows since when
// the store is away. A message that was lost is noticed by the number of changes, which is asked for every two seconds.
import { randomUUID } from 'node:crypto';
import { AppError } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { Redis } from 'ioredis';
import type { ChangeListener, StoreChange, StoreTrouble } from '../store.ts';
import type { RedisConnection } from './redis-connection.ts';
import { refusalOf, toStoreError, troubleOf } from './redis-errors.ts';
import type { RedisKeys } from './redis-keys.ts';
import { runScript, type Script, scripts } from './redis-scripts.ts';
import { countUsers } from './redis-users.ts';

/** Between two looks at the store, milliseconds. */
const beatIntervalMs = 2_000;
/** A look that takes longer is a slow one, milliseconds: an encoder that comes in waits for four such answers, a saved setting for three. */
const slowMs = 100;
/** So many slow looks one after the other make a slow store: a single one may be a fork for a snapshot. */
const slowLooks = 2;
/** Before a connection that was given up is made again, milliseconds. */
const reviveMs = 1_000;

export interface RedisLink {
  /** `Redis` or `Valkey`. */
  readonly name: string;
  /** Runs a script for the opened store. Rejects with an error of the catalogue. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** What is told to the others of a change. */
  messageOf(change: object): string;
  subscribe(listener: ChangeListener): () => void;
  awayMs(): number;
  trouble(): StoreTrouble | undefined;
  close(): Promise<void>;
}

export interface RedisLinkDeps {
  readonly name: string;
  /** Id of the store that was opened. */
  readonly id: string;
  /** Both are closed with the link. */
  readonly commands: RedisConnection;
  readonly subscriber: RedisConnection;
  readonly keys: RedisKeys;
  readonly log: Log;
  /** A clock that only goes forward, milliseconds. */
  readonly monotonicMs?: () => number;
}

export async function openRedisLink(deps: RedisLinkDeps): Promise<RedisLink> {
  const link = new WatchedLink(deps);
  try {
    await link.open();
    return link;
  } catch (error) {
    await link.close();
    throw error;
  }
}

class WatchedLink implements RedisLink {
  readonly name: string;
  readonly #deps: RedisLinkDeps;
  readonly #nowMs: () => number;
  /** Of this process: what it changes itself is no news to it. */
  readonly #process = randomUUID();
  readonly #listeners = new Set<ChangeListener>();
  #timer: NodeJS.Timeout | undefined;
  #isBeating = false;
  #awaySinceMs: number | undefined;
  /** Why it is away, as told last. */
  #toldTrouble: string | undefined;
  /** Why it refuses what it is asked for, as its last answer to a look says. */
  #refusal: StoreTrouble | undefined;
  #slowLooks = 0;
  /** Why there is no connection, for the log. */
  #connectionError: Error | undefined;
  /** Number of the last change that was heard. */
  #heard = 0;
  /** The last look found another number; a second one that finds the same has missed something. */
  #suspected: number | undefined;
  #isClosed = false;

  constructor(deps: RedisLinkDeps) {
    this.#deps = deps;
    this.name = deps.name;
    this.#nowMs = deps.monotonicMs ?? (() => performance.now());
    deps.commands.on('error', (error: Error) => {
      this.#connectionError = error;
    });
  }

  async open(): Promise<void> {
    const { commands, subscriber, keys } = this.#deps;
    for (const connection of [commands, subscriber]) connection.on('end', () => this.#revive(connection));
    subscriber.on('message', (_channel: string, message: string) => this.#hear(message));
    await subscriber.subscribe(keys.channel);
    // A Redis Cluster does it by itself. What fails here is tried with the next connection; what is missed meanwhile, the beat finds.
    if (subscriber instanceof Redis) {
      subscriber.on('ready', () => {
        subscriber.subscribe(keys.channel).catch(() => undefined);
      });
    }
    this.#heard = await this.#beat();
    // Takes out what was killed before.
    await countUsers(commands, keys).catch(() => undefined);
    this.#timer = setInterval(() => this.#look(), beatIntervalMs).unref();
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const { commands, id } = this.#deps;
    try {
      const answer = await runScript(commands, script, keys, [id, ...args]);
      this.#onAnswer();
      return answer;
    } catch (error) {
      this.#onError(error);
      throw toStoreError(error, this.name, this.#connectionError);
    }
  }

  messageOf(change: object): string {
    return `${this.#process} ${JSON.stringify(change)}`;
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  awayMs(): number {
    return this.#awaySinceMs === undefined ? 0 : Math.max(1, this.#nowMs() - this.#awaySinceMs);
  }

  trouble(): StoreTrouble | undefined {
    if (this.#refusal === 'denied') return 'denied';
    if (this.#awaySinceMs !== undefined) return 'away';
    return this.#refusal ?? (this.#slowLooks >= slowLooks ? 'slow' : undefined);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    const { commands, subscriber, keys } = this.#deps;
    if (this.#awaySinceMs === undefined) await commands.hdel(keys.open, this.#process).catch(() => undefined);
    commands.disconnect();
    subscriber.disconnect();
  }

  /** The library gives up when it is told of a failover while it connects; this server does not. */
  #revive(connection: RedisConnection): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed && connection.status === 'end') connection.connect().catch(() => undefined);
    }, reviveMs).unref();
  }

  #beat(): Promise<number> {
    const { keys } = this.#deps;
    return this.run(scripts.beat, [keys.meta, keys.open], [this.#process]) as Promise<number>;
  }

  /** One at a time: a slow store is not asked twice. */
  #look(): void {
    if (this.#isBeating || this.#isClosed) return;
    this.#isBeating = true;
    const askedAtMs = this.#nowMs();
    this.#beat()
      .then((changes) => {
        // A look writes: what refuses writes refuses it.
        this.#refusal = undefined;
        this.#slowLooks = this.#nowMs() - askedAtMs > slowMs ? this.#slowLooks + 1 : 0;
        this.#compare(changes);
      })
      // It is told and counted where it was caught first.
      .catch(() => undefined)
      .finally(() => {
        this.#isBeating = false;
      });
  }

  /** A message may be on its way: only what is missing at two looks was lost, or undone by a failover. */
  #compare(changes: number): void {
    const isMissing = changes !== this.#heard;
    if (isMissing && this.#suspected === this.#heard) {
      this.#heard = changes;
      this.#tell({ kind: 'anything' });
    }
    this.#suspected = isMissing ? this.#heard : undefined;
  }

  /** `<number> <process> <change>` */
  #hear(message: string): void {
    const [number = '', process = ''] = message.split(' ', 2);
    const isNext = Number(number) === this.#heard + 1;
    this.#heard = Math.max(this.#heard, Number(number));
    if (!isNext) this.#tell({ kind: 'anything' });
    else if (process !== this.#process) this.#tell(JSON.parse(message.slice(number.length + process.length + 2)));
  }

  #tell(change: StoreChange): void {
    if (this.#isClosed) return;
    for (const listener of this.#listeners) {
      Promise.resolve()
        .then(() => listener(change))
        .catch((error: unknown) => this.#onListenerError(error, change));
    }
  }

  /** Away again: what could not be read is read when it is back. */
  #onListenerError(error: unknown, change: StoreChange): void {
    if (error instanceof AppError && error.errorName === 'storeNotReady') return;
    this.#deps.log.error({ err: error, change }, 'what another control plane has changed did not take effect here');
  }

  #onAnswer(): void {
    if (this.#awaySinceMs === undefined) return;
    const awayMs = Math.round(this.awayMs());
    this.#awaySinceMs = undefined;
    this.#toldTrouble = undefined;
    this.#connectionError = undefined;
    this.#deps.log.info({ store: this.name, awayMs }, 'the store is back');
    // What was under way may have been stored or not, and others may have changed something.
    this.#tell({ kind: 'anything' });
  }

  #onError(error: unknown): void {
    const trouble = troubleOf(error);
    this.#refusal = refusalOf(error, this.#connectionError) ?? (trouble === 'refused' ? this.#refusal : undefined);
    if (trouble === 'refused' || this.#isClosed) return;
    this.#awaySinceMs ??= this.#nowMs();
    if (this.#toldTrouble === trouble) return;
    this.#toldTrouble = trouble;
    const text =
      trouble === 'gone' ? 'the store is empty or another one: nothing is written to it' : 'the store is away';
    const { message } = error as Error;
    const reason = this.#connectionError ? `${message} (${this.#connectionError.message})` : message;
    this.#deps.log.error({ store: this.name, reason }, text);
  }
}
