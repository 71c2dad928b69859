// Tries output protocols in order: when one fails, the next one starts. A stream that is not live is reported to the session, which
// retries.
import type { Playback, PlaybackEvents, PlaybackFacts, PlaybackProblem, StartPlayback } from '../playback.ts';
import type { Way } from './watched-stream.ts';

/** Problems of the output protocol. Another protocol may work. */
const ofTheWay: readonly PlaybackProblem['kind'][] = ['codec', 'browser', 'media-path', 'media', 'stalled'];

/** Maximum connection time of WebRTC, milliseconds; then the next protocol starts. With working UDP, WebRTC needs a tenth of this time. */
const connectPatienceMs = 4_000;

export interface BestWayOptions {
  readonly video: HTMLVideoElement;
  /** Protocols in order of preference; not empty. */
  readonly ways: readonly Way[];
  readonly start: (way: Way) => StartPlayback;
  readonly onWay: (way: Way) => void;
}

/** Later attempts skip output protocols that have failed. */
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
    // A blocked UDP port causes no error. Only WebRTC statistics prove that media arrives.
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

/** Skips no buffered media. For engines that stay near the live edge on their own. */
const neverSkipped = { maxSeconds: Number.POSITIVE_INFINITY, keepSeconds: 0 };
