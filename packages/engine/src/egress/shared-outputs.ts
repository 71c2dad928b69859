// Outputs that all viewers of one stream share: made with the first viewer, forgotten with the last.
import type { Stream, StreamHub, Subscription } from '../hub/stream-hub.ts';
import type { StreamReader } from '../hub/stream-reader.ts';

export interface SharedOutput extends StreamReader {
  readonly viewerCount: number;
  /** It has ended or failed: its viewers are being closed, and new ones need a new output. */
  readonly isOver: boolean;
  /** Stops timers, where it has any. Idempotent. */
  close?(): void;
}

interface Entry<Output> {
  readonly output: Output;
  readonly subscription: Subscription;
}

export class SharedOutputs<Output extends SharedOutput> {
  readonly #table = new Map<Stream, Entry<Output>>();
  readonly #hub: Pick<StreamHub, 'attach'>;
  readonly #create: (stream: Stream) => Output;

  constructor(hub: Pick<StreamHub, 'attach'>, create: (stream: Stream) => Output) {
    this.#hub = hub;
    this.#create = create;
  }

  /** The output of that stream, of which the caller is a player; it follows the stream from its last keyframe on. */
  of(stream: Stream): Output {
    const known = this.#table.get(stream);
    if (known && !known.output.isOver) return known.output;
    const output = this.#create(stream);
    const subscription = this.#hub.attach(stream.key, output, { fromGopCache: true });
    this.#table.set(stream, { output, subscription });
    if (known) detach(known);
    return output;
  }

  /** Call when a viewer has left: lets go of the stream when it was the last. */
  release(stream: Stream, output: Output): void {
    const entry = this.#table.get(stream);
    if (entry?.output !== output || output.viewerCount > 0) return;
    this.#table.delete(stream);
    detach(entry);
  }
}

function detach({ output, subscription }: Entry<SharedOutput>): void {
  output.close?.();
  subscription.detach();
}
