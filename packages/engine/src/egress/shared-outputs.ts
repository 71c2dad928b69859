// Outputs shared by all viewers of a stream. The first viewer creates an output. The output is released after the last viewer, immediately
// or after a lingering time.
import type { Stream, StreamHub, Subscription } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface SharedOutput extends StreamReader {
  readonly viewerCount: number;
  /** True when the output has ended or failed. Its viewers are being closed; new viewers get a new output. */
  readonly isOver: boolean;
  /** Time for which the output stays without viewers, milliseconds. Default: 0. */
  readonly lingerMs?: number;
  close?(): void;
}

interface Entry<Output> {
  readonly output: Output;
  readonly subscription: Subscription;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Maximum number of lingering outputs, because each output keeps a GOP in memory. Above the limit, the output that has lingered longest is
 * released.
 */
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

  /** Returns the output of a stream. A new output reads the stream from the last keyframe on. Call `release` when the viewer leaves. */
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

  /** Call when a viewer has left. Releases the output after the last viewer, immediately or after its lingering time. */
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

  /** Stops the lingering timer of an output that has a viewer again or was released. */
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
