// Outputs shared by all viewers of a stream: created with the first viewer, released with the last one or, if they linger, some time later.
import type { Stream, StreamHub, Subscription } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface SharedOutput extends StreamReader {
  readonly viewerCount: number;
  /** The output has ended or failed: its viewers are being closed, and new viewers need a new output. */
  readonly isOver: boolean;
  /** How long it lingers after its last viewer for the next one, milliseconds; default: not at all. */
  readonly lingerMs?: number;
  /** Stops its timers. Idempotent. */
  close?(): void;
}

interface Entry<Output> {
  readonly output: Output;
  readonly subscription: Subscription;
  /** Set while it lingers without viewers. */
  timer: NodeJS.Timeout | undefined;
}

/** Maximum number of lingering outputs, because each keeps a GOP in memory. Above it, the output that has lingered longest is released. */
const maxLingering = 64;

export class SharedOutputs<Output extends SharedOutput> {
  readonly #table = new Map<Stream, Entry<Output>>();
  /** Oldest first. */
  readonly #lingering = new Set<Stream>();
  readonly #hub: Pick<StreamHub, 'attach'>;
  readonly #create: (stream: Stream) => Output;

  constructor(hub: Pick<StreamHub, 'attach'>, create: (stream: Stream) => Output) {
    this.#hub = hub;
    this.#create = create;
  }

  /**
   * The output of that stream, created if there is none: it then reads the stream from its last keyframe on. Call `release` when the viewer
   * leaves.
   */
  of(stream: Stream): Output {
    const known = this.#table.get(stream);
    if (known) this.#stay(stream, known);
    if (known && !known.output.isOver) return known.output;
    const output = this.#create(stream);
    const subscription = this.#hub.attach(stream.key, output, { fromGopCache: true });
    this.#table.set(stream, { output, subscription, timer: undefined });
    if (known) detach(known);
    return output;
  }

  /** Call when a viewer has left: releases the stream after the last one, delayed if the output lingers. */
  release(stream: Stream, output: Output): void {
    const entry = this.#table.get(stream);
    if (entry?.output !== output || output.viewerCount > 0) return;
    const lingerMs = output.isOver ? 0 : (output.lingerMs ?? 0);
    if (lingerMs > 0) this.#linger(stream, entry, lingerMs);
    else this.#release(stream, entry);
  }

  #linger(stream: Stream, entry: Entry<Output>, ms: number): void {
    this.#stay(stream, entry);
    this.#lingering.add(stream);
    entry.timer = setTimeout(() => this.#release(stream, entry), ms).unref();
    const [oldest] = this.#lingering;
    const first = this.#lingering.size > maxLingering && oldest ? this.#table.get(oldest) : undefined;
    if (oldest && first) this.#release(oldest, first);
  }

  /** Ends the lingering of an output that has a viewer again, or was released. */
  #stay(stream: Stream, entry: Entry<Output>): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    this.#lingering.delete(stream);
  }

  #release(stream: Stream, entry: Entry<Output>): void {
    this.#stay(stream, entry);
    if (this.#table.get(stream) === entry) this.#table.delete(stream);
    detach(entry);
  }
}

function detach({ output, subscription }: Pick<Entry<SharedOutput>, 'output' | 'subscription'>): void {
  output.close?.();
  subscription.detach();
}
