// The bitrate of a push over the last minutes, from the byte counter of the gateway. Time is a parameter.

/** Duration that one value covers, milliseconds. */
const slotMs = 5_000;
/** Number of values: five minutes, the width of the console's small charts. */
export const pushHistorySlots = 60;

export class PushMeter {
  #history: number[] = [];
  #startedAtMs: number | undefined;
  #bytesAtStart = 0;
  #bytes = 0;

  /** Bitrates in kbit/s, oldest first. */
  get history(): readonly number[] {
    return this.#history;
  }

  /** Bitrate of the last complete interval, kbit/s; 0 before the first. */
  get kbps(): number {
    return this.#history.at(-1) ?? 0;
  }

  /** Adds a reading. `sentBytes` counts from the start of the connection, so a smaller number means a new connection. */
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
