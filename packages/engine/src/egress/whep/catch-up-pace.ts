// Paces viewers that are catching up. A burst of all packets since a keyframe exceeds the receive buffer of many clients: Linux gives a
// socket 208 KB, some ninety packets. Such clients would request lost packets again, or show corrupt video until the next keyframe.

/** Interval of steps, milliseconds. */
const stepMs = 10;
/** Minimum number of packets per step, 46 Mbit/s: half of a socket's receive buffer. */
const leastPerStep = 48;
/** Maximum number of steps, a quarter of a second: with many packets, each step sends more. */
const mostSteps = 25;

/** Packets per step for a viewer that lags by this many. */
export function packetsPerStep(behind: number): number {
  return Math.max(leastPerStep, Math.ceil(behind / mostSteps));
}

interface ViewerBehind {
  /** Sends the packets of a step; false when nothing is left. */
  sendStep(): boolean;
}

export class CatchUpPace<Viewer extends ViewerBehind> {
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | undefined;

  /** Paces a viewer until it has caught up, or is removed. */
  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    this.#timer ??= setInterval(() => this.#step(), stepMs);
  }

  /** Removes a viewer, also one that has left or was never added. */
  remove(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #step(): void {
    for (const viewer of this.#viewers) if (!viewer.sendStep()) this.remove(viewer);
  }
}
