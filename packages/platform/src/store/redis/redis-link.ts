// The connection of a control plane to its Redis store. Runs scripts, receives changes by other control planes, and tracks outages. A
// change counter, polled every two seconds, reveals lost messages.
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

const beatIntervalMs = 2_000;
/** Duration of a slow poll, milliseconds: authorizing an encoder takes four responses of the store, saving a setting three. */
const slowMs = 100;
/** After this many slow polls in sequence, the store counts as slow. A single slow poll may be a fork for a snapshot. */
const slowLooks = 2;
/** Pause before reopening a lost connection, milliseconds. */
const reviveMs = 1_000;

export interface RedisLink {
  /** `Redis` or `Valkey`. */
  readonly name: string;
  /** Rejects with AppError `settingsChanged` or `storeNotReady`. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** Formats a message about a change for other control planes. */
  messageOf(change: object): string;
  subscribe(listener: ChangeListener): () => void;
  awayMs(): number;
  trouble(): StoreTrouble | undefined;
  close(): Promise<void>;
}

export interface RedisLinkDeps {
  readonly name: string;
  readonly id: string;
  /** Closed together with the link, like `subscriber`. */
  readonly commands: RedisConnection;
  readonly subscriber: RedisConnection;
  readonly keys: RedisKeys;
  readonly log: Log;
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
  /** Id of this process: its own changes are ignored. */
  readonly #process = randomUUID();
  readonly #listeners = new Set<ChangeListener>();
  #timer: NodeJS.Timeout | undefined;
  #isBeating = false;
  #awaySinceMs: number | undefined;
  #reportedTrouble: string | undefined;
  /** Why the store refuses commands, according to the last failed command or the last poll. */
  #refusal: StoreTrouble | undefined;
  #slowLooks = 0;
  #connectionError: Error | undefined;
  /** Last known change number. */
  #heard = 0;
  /**
   * `#heard` at the last poll, if the store had a different number. An equal `#heard` at the next poll means a lost message or an undone
   * change.
   */
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
    // Subscribes after each reconnect; the client of a Redis Cluster subscribes automatically. The next reconnect repeats a failed
    // subscription, and polls detect missed changes.
    if (subscriber instanceof Redis) {
      subscriber.on('ready', () => {
        subscriber.subscribe(keys.channel).catch(() => undefined);
      });
    }
    [this.#heard] = await this.#beat();
    // Removes entries of killed processes.
    await countUsers(commands, keys).catch(() => undefined);
    this.#timer = setInterval(() => this.#look(), beatIntervalMs).unref();
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const { commands, id } = this.#deps;
    try {
      const result = await runScript(commands, script, keys, [id, ...args]);
      this.#onAnswer();
      return result;
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

  /** Reconnects, because the library gives up after a failover notice. */
  #revive(connection: RedisConnection): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed && connection.status === 'end') connection.connect().catch(() => undefined);
    }, reviveMs).unref();
  }

  /** Returns the change number, and the error of a test write ('' if it succeeded). */
  #beat(): Promise<[changes: number, refusal: string]> {
    const { keys } = this.#deps;
    return this.run(scripts.beat, [keys.meta, keys.open], [this.#process]) as Promise<[number, string]>;
  }

  /** Polls the store, but never twice at a time: the store may be slow. */
  #look(): void {
    if (this.#isBeating || this.#isClosed) return;
    this.#isBeating = true;
    const startedAtMs = this.#nowMs();
    this.#beat()
      .then(([changes, refusal]) => {
        this.#refusal = refusalOf(new Error(refusal));
        this.#slowLooks = this.#nowMs() - startedAtMs > slowMs ? this.#slowLooks + 1 : 0;
        this.#compare(changes);
      })
      // `run` has already handled the error.
      .catch(() => undefined)
      .finally(() => {
        this.#isBeating = false;
      });
  }

  /** Detects lost messages, and changes that a failover undid. Only two polls in sequence count, because a message may be in transit. */
  #compare(changes: number): void {
    const isMissing = changes !== this.#heard;
    if (isMissing && this.#suspected === this.#heard) {
      this.#heard = changes;
      this.#tell({ kind: 'anything' });
    }
    this.#suspected = isMissing ? this.#heard : undefined;
  }

  /** Handles a message `<number> <process> <change>`. */
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

  /** Logs an error of a listener. Ignores an unavailable store: documents are read again after the outage. */
  #onListenerError(error: unknown, change: StoreChange): void {
    if (error instanceof AppError && error.errorName === 'storeNotReady') return;
    this.#deps.log.error({ err: error, change }, 'a change by another control plane could not be applied on this node');
  }

  #onAnswer(): void {
    if (this.#awaySinceMs === undefined) return;
    const awayMs = Math.round(this.awayMs());
    this.#awaySinceMs = undefined;
    this.#reportedTrouble = undefined;
    this.#connectionError = undefined;
    this.#deps.log.info({ store: this.name, awayMs }, 'the store is available again');
    // Anything may have changed: interrupted commands may have been executed, and other control planes may have written.
    this.#tell({ kind: 'anything' });
  }

  #onError(error: unknown): void {
    const trouble = troubleOf(error);
    this.#refusal = refusalOf(error, this.#connectionError) ?? (trouble === 'refused' ? this.#refusal : undefined);
    if (trouble === 'refused' || this.#isClosed) return;
    this.#awaySinceMs ??= this.#nowMs();
    if (this.#reportedTrouble === trouble) return;
    this.#reportedTrouble = trouble;
    const text =
      trouble === 'gone'
        ? 'the store is empty or was replaced: nothing is saved until the previous store is restored'
        : 'the store is unavailable';
    const { message } = error as Error;
    const reason = this.#connectionError ? `${message} (${this.#connectionError.message})` : message;
    this.#deps.log.error({ store: this.name, reason }, text);
  }
}
