// The bitrate of a push over the last minutes, from the byte counter of the gateway. Pure; time is a parameter.

/** Time per value, milliseconds. */
const slotMs = 5_000;
/** Values kept: five minutes, as wide as the console's small curves. */
export const pushHistorySlots = 60;

export class PushMeter {
  #history: number[] = [];
  #startedAtMs: number | undefined;
  #bytesAtStart = 0;
  #bytes = 0;

  /** Kilobits per second, oldest first. */
  get history(): readonly number[] {
    return this.#history;
  }

  /** Of the last complete value; 0 before the first. */
  get kbps(): number {
    return this.#history.at(-1) ?? 0;
  }

  /** `sentBytes` counts from the start of the connection: a smaller number belongs to a new connection. */
  note(sentBytes: number, nowMs: number): void {
    if (this.#startedAtMs === undefined) {
      this.#begin(sentBytes, nowMs);
      return;
    }
    if (sentBytes < this.#bytes) this.#bytesAtStart -= this.#bytes;
    this.#bytes = sentBytes;
    const elapsedMs = nowMs - this.#startedAtMs;
    if (elapsedMs < slotMs) return;
    const kbps = Math.round(((sentBytes - this.#bytesAtStart) * 8) / elapsedMs);
    this.#history = [...this.#history, kbps].slice(-pushHistorySlots);
    this.#begin(sentBytes, nowMs);
  }

  #begin(sentBytes: number, nowMs: number): void {
    this.#startedAtMs = nowMs;
    this.#bytesAtStart = sentBytes;
    this.#bytes = sentBytes;
  }
}
