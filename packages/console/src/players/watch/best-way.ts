// One playback that tries one way after another: a way that cannot work here, or that breaks, gives place to the next one, while the
// viewer watches. Who is not live is waited for in the same way.
import type { Playback, PlaybackEvents, PlaybackProblem, StartPlayback } from '../playback.ts';
import type { Way } from './watched-stream.ts';

/** Problems of the way and not of the stream: another way may do. */
const ofTheWay: readonly PlaybackProblem['kind'][] = ['codec', 'browser', 'media-path', 'media', 'stalled'];

export interface BestWayOptions {
  /** Every way plays into it. */
  readonly video: HTMLVideoElement;
  /** The best first; at least one. */
  readonly ways: readonly Way[];
  readonly start: (way: Way) => StartPlayback;
  /** Which way is tried, or plays, from now on. */
  readonly onWay: (way: Way) => void;
}

/** A way to play that remembers, from one attempt to the next, which ways have failed. */
export function bestWay(options: BestWayOptions): StartPlayback {
  const memory = { at: 0 };
  return async (events) => {
    const attempt = new Attempt(options, memory, events);
    await attempt.begin();
    return attempt.asPlayback();
  };
}

class Attempt {
  readonly #options: BestWayOptions;
  /** Which of the ways is taken. */
  readonly #memory: { at: number };
  readonly #events: PlaybackEvents;
  #playback: Playback | undefined;
  #isClosed = false;

  constructor(options: BestWayOptions, memory: { at: number }, events: PlaybackEvents) {
    this.#options = options;
    this.#memory = memory;
    this.#events = events;
  }

  async begin(): Promise<void> {
    const { ways, start, onWay } = this.#options;
    const { at } = this.#memory;
    const way = ways[at];
    if (way === undefined) return;
    const isCurrent = () => !this.#isClosed && at === this.#memory.at;
    onWay(way);
    const started = await start(way)({
      onFacts: (facts) => isCurrent() && this.#events.onFacts(facts),
      onProblem: (problem) => isCurrent() && this.#onProblem(problem),
    });
    if (isCurrent()) this.#playback = started;
    else started.destroy();
  }

  asPlayback(): Playback {
    const current = () => this.#playback;
    return {
      video: this.#options.video,
      get backlog() {
        return current()?.backlog ?? neverSkipped;
      },
      latency: () => current()?.latency(),
      destroy: () => {
        this.#isClosed = true;
        current()?.destroy();
      },
    };
  }

  #onProblem(problem: PlaybackProblem): void {
    const isLast = this.#memory.at >= this.#options.ways.length - 1;
    if (isLast || !ofTheWay.includes(problem.kind)) {
      this.#events.onProblem(problem);
      return;
    }
    this.#memory.at++;
    this.#playback?.destroy();
    this.#playback = undefined;
    this.begin().then(
      () => {
        this.#options.video.play().catch(() => {});
      },
      (error: unknown) => this.#events.onProblem({ kind: 'network', detail: String(error) }),
    );
  }
}

/** The engine itself keeps near the live edge. */
const neverSkipped = { maxSeconds: Number.POSITIVE_INFINITY, keepSeconds: 0 };
