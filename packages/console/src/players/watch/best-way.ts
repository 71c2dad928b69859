// One playback that tries output protocols one after another: if a protocol fails before or during playback, the next one follows. For
// streams that are not live, it reports the problem to the session, which retries.
import type { Playback, PlaybackEvents, PlaybackFacts, PlaybackProblem, StartPlayback } from '../playback.ts';
import type { Way } from './watched-stream.ts';

/** Problems of the output protocol, not of the stream: another protocol may work. */
const ofTheWay: readonly PlaybackProblem['kind'][] = ['codec', 'browser', 'media-path', 'media', 'stalled'];

/**
 * If WebRTC has not connected after this time, the next protocol starts, milliseconds. Where UDP works, WebRTC connects in a tenth of it.
 */
const connectPatienceMs = 4_000;

export interface BestWayOptions {
  /** All output protocols play into this element. */
  readonly video: HTMLVideoElement;
  /** Best first; at least one. */
  readonly ways: readonly Way[];
  readonly start: (way: Way) => StartPlayback;
  /** Called with the output protocol that is tried or played from now on. */
  readonly onWay: (way: Way) => void;
}

/** A playback that skips, in later attempts, the output protocols that have failed before. */
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
  /** `at` is the index of the current protocol in `ways`. */
  readonly #memory: { at: number };
  readonly #events: PlaybackEvents;
  #playback: Playback | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    const onProblem = (problem: PlaybackProblem): void => {
      if (isCurrent()) this.#onProblem(problem);
    };
    // A closed UDP port sends no response, so only the first statistics prove that the path works.
    const patience =
      way === 'webrtc' ? setTimeout(() => onProblem({ kind: 'media-path' }), connectPatienceMs) : undefined;
    this.#timer = patience;
    const onFacts = (facts: PlaybackFacts): void => {
      clearTimeout(patience);
      if (isCurrent()) this.#events.onFacts(facts);
    };
    try {
      const started = await start(way)({ onFacts, onProblem });
      if (isCurrent()) this.#playback = started;
      else started.destroy();
    } catch (error) {
      onProblem({ kind: 'media', detail: String(error) });
    }
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
        clearTimeout(this.#timer);
        current()?.destroy();
      },
    };
  }

  #onProblem(problem: PlaybackProblem): void {
    clearTimeout(this.#timer);
    const isLast = this.#memory.at >= this.#options.ways.length - 1;
    if (isLast || !ofTheWay.includes(problem.kind)) {
      this.#events.onProblem(problem);
      return;
    }
    this.#memory.at++;
    this.#playback?.destroy();
    this.#playback = undefined;
    const { video } = this.#options;
    this.begin()
      .then(() => video.play())
      .catch(() => undefined);
  }
}

/** The rule for engines that stay near the live edge themselves: no buffered media is skipped. */
const neverSkipped = { maxSeconds: Number.POSITIVE_INFINITY, keepSeconds: 0 };
