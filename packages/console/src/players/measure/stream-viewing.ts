// One viewer's view of a stream over all output protocols: time to first frame, fallbacks, interruptions.
import type { OutputReport, ViewerError, ViewerOutput } from '@srs-stack/contract/values/viewers.ts';
import type { PlaybackProblem } from '../playback.ts';
import { OutputMeter } from './output-meter.ts';

/** Maximum time between the failure of a protocol and the start of its fallback, milliseconds. */
const takesPlaceWithinMs = 2_000;
/** Maximum duration of a reported interruption, seconds. Longer interruptions are not reported. */
const maxInterruptionSeconds = 60;

const errorOf: Readonly<Record<PlaybackProblem['kind'], ViewerError | undefined>> = {
  'not-live': undefined,
  ended: undefined,
  network: 'network',
  media: 'media',
  'media-path': 'media-path',
  codec: 'codec',
  browser: 'codec',
  stalled: 'stalled',
  'not-allowed': 'refused',
};

/** An attempt to play the stream over one output protocol. */
export interface Attempt {
  readonly meter: OutputMeter;
  readonly output: ViewerOutput;
  hasShownFrame: boolean;
  hasFailed: boolean;
}

export class StreamViewing {
  readonly #onFirstFrame: () => void;
  readonly #meters = new Map<ViewerOutput, OutputMeter>();
  #requestedAtMs: number | undefined;
  /** The attempt that ended last. */
  #over: (Attempt & { readonly atMs: number }) | undefined;
  #lost: { readonly meter: OutputMeter; readonly atMs: number } | undefined;

  #hadFrame = false;

  constructor(onFirstFrame: () => void) {
    this.#onFirstFrame = onFirstFrame;
  }

  begin(output: ViewerOutput, nowMs: number): Attempt {
    const over = this.#over;
    if (over && over.output !== output && over.hasFailed && nowMs - over.atMs < takesPlaceWithinMs) over.meter.leave();
    this.#requestedAtMs ??= nowMs;
    const meter = this.#meters.get(output) ?? new OutputMeter(output);
    this.#meters.set(output, meter);
    return { meter, output, hasShownFrame: false, hasFailed: false };
  }

  /** @param wasAsleep the page was hidden during the attempt, so the time to first frame is invalid. */
  showFrame(attempt: Attempt, nowMs: number, wasAsleep: boolean): void {
    if (attempt.hasShownFrame) return;
    attempt.hasShownFrame = true;
    const lost = this.#lost;
    const seconds = (nowMs - (lost?.atMs ?? this.#requestedAtMs ?? nowMs)) / 1000;
    if (lost && !wasAsleep && seconds <= maxInterruptionSeconds) lost.meter.interrupt(seconds, nowMs);
    attempt.meter.begin(lost || wasAsleep ? undefined : seconds);
    this.#forget();
    if (!this.#hadFrame) this.#onFirstFrame();
    this.#hadFrame = true;
  }

  fail(attempt: Attempt, { kind }: Pick<PlaybackProblem, 'kind'>, nowMs: number): void {
    const error = errorOf[kind];
    attempt.hasFailed = true;
    if (error) attempt.meter.fail(error);
    if (!error) this.#forget();
    else if (attempt.hasShownFrame && error !== 'refused') this.#lost = { meter: attempt.meter, atMs: nowMs };
  }

  /** A WebRTC attempt that ends without a frame and without an error has found no network path, unless the viewer left. */
  end(attempt: Attempt, nowMs: number, isLeft: boolean): void {
    if (!attempt.hasShownFrame && !attempt.hasFailed && attempt.output === 'webrtc' && !isLeft) {
      attempt.hasFailed = true;
      attempt.meter.fail('media-path');
    }
    if (!attempt.hasFailed) this.#forget();
    attempt.meter.rest();
    this.#over = { ...attempt, atMs: nowMs };
  }

  take(nowMs: number): OutputReport[] {
    return [...this.#meters.values()].flatMap((meter) => meter.take(nowMs) ?? []);
  }

  /** The viewer has stopped waiting, so the next playback counts as a new request. */
  #forget(): void {
    this.#requestedAtMs = undefined;
    this.#lost = undefined;
  }
}
