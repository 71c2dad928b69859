// Has viewers that are behind go on, a step at a time: the pictures since a keyframe in one burst are more than many receivers have room for
// (Linux gives a socket 208 KB, some ninety packets), and what they lose they ask for again, or show torn pictures until the next keyframe.

/** Between two steps, milliseconds. */
const stepMs = 10;
/** Packets of a step, 46 Mbit/s: half of what a socket has room for. */
const leastPerStep = 48;
/** Who is far behind is with the others after this many steps, a quarter of a second: there are more packets in a step then. */
const mostSteps = 25;

/** Packets of each step for a viewer that is this many behind. */
export function packetsPerStep(behind: number): number {
  return Math.max(leastPerStep, Math.ceil(behind / mostSteps));
}

interface ViewerBehind {
  /** Sends the packets of a step; false when nothing is left. */
  goOn(): boolean;
}

export class CatchUpPace<Viewer extends ViewerBehind> {
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | undefined;

  /** It goes on until it is no longer behind, or removed. */
  add(viewer: Viewer): void {
    this.#viewers.add(viewer);
    this.#timer ??= setInterval(() => this.#step(), stepMs);
  }

  /** Of one that has left, or was never behind. */
  remove(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #step(): void {
    for (const viewer of this.#viewers) if (!viewer.goOn()) this.remove(viewer);
  }
}
