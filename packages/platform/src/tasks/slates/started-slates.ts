// Streams that the operator has started with a slate. A started stream is removed when its encoder connects, when the stream ends, or when
// its time is over. A new process continues the streams of the order file.
import { randomUUID } from 'node:crypto';
import { AppError, because, maxSlateStarts, type ResponseOf } from '@srs-stack/contract';
import type { slates } from '@srs-stack/contract/endpoints/settings/slates.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import type { SlateOrder } from '@srs-stack/process/slate-orders.ts';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import { failureOf, type SlateFailure } from './slate-failure.ts';
import type { FileState } from './slate-files.ts';
import type { SlateShape } from './slate-shape.ts';

/** Maximum time until a gateway starts an ordered stream, milliseconds. Usually, gateways notice new orders within a second. */
const answerMs = 10_000;
/** A stream that is missing for this time has ended, milliseconds. A restarted gateway starts the stream again within this time. */
const goneMs = 3_000;
/** Maximum number of attempts: a refusal may be temporary, e.g. by a failed publish callback. */
const maxAttempts = 3;

type Row = ResponseOf<typeof slates.query>['starts'][number];

export interface StartedStream {
  readonly app: string;
  readonly stream: string;
}

interface Start extends StartedStream {
  /** Undefined if the previous process ordered the stream. */
  readonly shape: SlateShape | undefined;
  readonly longestMinutes: number;
  readonly untilMs: number;
  id: string;
  attempts: number;
  file: string | undefined;
  /** Monotonic milliseconds. */
  orderedAtMs: number | undefined;
  onAirMs: number | undefined;
  /** Last check that found the slate on the air, monotonic milliseconds. */
  seenAtMs: number | undefined;
  failed: SlateFailure | undefined;
}

export interface StartedSlatesDeps {
  readonly publishSecret: { current(): { readonly publish: string } };
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly now: () => Date;
}

export class StartedSlates {
  readonly #deps: StartedSlatesDeps;
  readonly #starts = new Map<string, Start>();

  constructor(deps: StartedSlatesDeps, orders: readonly SlateOrder[]) {
    this.#deps = deps;
    for (const { app, stream, longestMinutes, file, start } of orders) {
      if (!start) continue;
      const { id, untilMs } = start;
      const since = { attempts: 1, file, orderedAtMs: deps.clock(), onAirMs: undefined };
      this.#starts.set(nameOf({ app, stream }), {
        ...{ app, stream, shape: undefined, longestMinutes, untilMs, id },
        ...{ ...since, seenAtMs: undefined, failed: undefined },
      });
    }
  }

  get size(): number {
    return this.#starts.size;
  }

  has(name: string): boolean {
    return this.#starts.has(name);
  }

  /** Adds or restarts a stream. Throws AppError `invalidRequest` if there are too many streams. */
  add({ app, stream }: StartedStream, shape: SlateShape, longestMinutes: number): void {
    const name = nameOf({ app, stream });
    if (!this.#starts.has(name) && this.#starts.size >= maxSlateStarts)
      throw new AppError('invalidRequest', because('slate.too-many-starts', { maximum: maxSlateStarts }));
    this.#starts.set(name, {
      ...{ app, stream, shape, longestMinutes, id: randomUUID(), attempts: 1, file: undefined },
      untilMs: this.#deps.now().getTime() + longestMinutes * 60_000,
      ...{ orderedAtMs: undefined, onAirMs: undefined, seenAtMs: undefined, failed: undefined },
    });
  }

  /** Throws AppError `notFound`. */
  remove(stream: StartedStream): void {
    const name = nameOf(stream);
    if (!this.#starts.delete(name)) throw new AppError('notFound', because('slate.none-started', { stream: name }));
  }

  /** Removes ended streams and retries streams that did not start. */
  look(streams: readonly MediaServerStream[]): void {
    const live = new Map(streams.filter(({ isPublished }) => isPublished).map((each) => [nameOf(each), each]));
    for (const [name, start] of this.#starts) {
      const found = live.get(name);
      start.onAirMs = found?.details?.slateForMs;
      const now = this.#deps.clock();
      if (start.onAirMs !== undefined) start.seenAtMs = now;
      const isGone = start.seenAtMs !== undefined && now - start.seenAtMs >= goneMs;
      const isOver = found ? start.onAirMs === undefined : isGone;
      if (isOver || this.#deps.now().getTime() >= start.untilMs) this.#starts.delete(name);
      else if (!found && start.seenAtMs === undefined) this.#retry(start);
    }
  }

  #retry(start: Start): void {
    if (start.orderedAtMs === undefined || this.#deps.clock() - start.orderedAtMs < answerMs) return;
    if (start.attempts >= maxAttempts) {
      start.failed = failureOf(because('slate.not-begun'));
      return;
    }
    start.attempts++;
    start.id = randomUUID();
    start.orderedAtMs = this.#deps.clock();
  }

  /** Orders slate files for streams. @param choose returns the best existing file; a better file replaces it at the next call. */
  prepare(choose: (shape: SlateShape) => string | undefined): void {
    for (const start of this.#starts.values()) {
      const file = start.shape && choose(start.shape);
      if (file === undefined) continue;
      start.file = file;
      start.orderedAtMs ??= this.#deps.clock();
    }
  }

  orders(afterSeconds: number): (SlateOrder & { readonly file: string })[] {
    const param = `?secret=${encodeURIComponent(this.#deps.publishSecret.current().publish)}`;
    return [...this.#starts.values()].flatMap(({ app, stream, longestMinutes, file, id, untilMs }) => {
      const start = { id, vhost: defaultVhost, param, untilMs };
      return file === undefined ? [] : [{ app, stream, afterSeconds, longestMinutes, file, start }];
    });
  }

  /** @param stateOf state of the slate file for a stream without an order. */
  rows(stateOf: (shape: SlateShape) => FileState): Row[] {
    return [...this.#starts.values()].map(({ app, stream, shape, file, onAirMs, failed }) => {
      if (onAirMs !== undefined) return { app, stream, state: 'on-air', onAirMs };
      if (failed) return { app, stream, state: 'failed', ...failed };
      if (file !== undefined || !shape) return { app, stream, state: 'waiting' };
      const found = stateOf(shape);
      return found.state === 'ready' ? { app, stream, state: 'waiting' } : { app, stream, ...found };
    });
  }
}

function nameOf({ app, stream }: StartedStream): string {
  return `${app}/${stream}`;
}
