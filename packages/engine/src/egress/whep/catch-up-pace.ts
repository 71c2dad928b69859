// Paces the first packets of new viewers. Sending all packets since a keyframe at once overflows the receive buffer of many clients: 208 KB
// per socket in Linux, about 90 packets. Lost packets would be requested again, or corrupt the video until the next keyframe.

const stepMs = 10;
/** Minimum number of packets per step: half of a socket's receive buffer, or 46 Mbit/s. */
const leastPerStep = 48;
/** Maximum number of steps: a quarter of a second. Many packets mean larger steps. */
const mostSteps = 25;

/** Packets per step for a viewer that has `behind` packets to catch up. */
export function packetsPerStep(behind: number): number {
  return Math.max(leastPerStep, Math.ceil(behind / mostSteps));
}

interface ViewerBehind {
  /** Sends the packets of one step; returns false when no packets are left. */
  sendStep(): boolean;
}

export class CatchUpPace<Viewer extends ViewerBehind> {
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | undefined;

  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    this.#timer ??= setInterval(() => this.#step(), stepMs);
  }

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
