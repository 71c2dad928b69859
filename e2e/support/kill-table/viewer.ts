// A viewer with several addresses. When playback ends, the viewer connects to the next address half a second later.
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeName } from './node-cluster.ts';
import { type OutputName, outputs } from './outputs.ts';
import { Pauses } from './pauses.ts';

const retryMs = 500;

export interface ViewerOptions {
  readonly output: OutputName;
  readonly stream: string;
  readonly places: readonly { readonly node: NodeName; readonly url: string }[];
}

export class Viewer {
  readonly output: OutputName;
  readonly stream: string;
  readonly pauses = new Pauses();
  attempts = 0;
  readonly #places: ViewerOptions['places'];
  #leave: (() => void) | undefined;
  #hasLeft = false;
  readonly #ended: Promise<void>;

  constructor({ output, stream, places }: ViewerOptions) {
    this.output = output;
    this.stream = stream;
    this.#places = places;
    this.#ended = this.#keepWatching();
  }

  get node(): NodeName {
    return this.#places[Math.max(0, this.attempts - 1) % this.#places.length]!.node;
  }

  /** Whether media has arrived since this time (`performance.now()`) and still arrives. */
  isPlaying(since: number): boolean {
    return this.pauses.lastAt > since && performance.now() - this.pauses.lastAt < outputs[this.output].everyMs;
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#leave?.();
    await this.#ended;
  }

  async #keepWatching(): Promise<void> {
    while (!this.#hasLeft) {
      this.attempts += 1;
      const { url } = this.#places[(this.attempts - 1) % this.#places.length]!;
      await new Promise<void>((resolve) => {
        this.#leave = outputs[this.output].play(url, { onMedia: () => this.pauses.note(), onEnd: resolve });
      });
      if (!this.#hasLeft) await delay(retryMs);
    }
  }
}
