// Packets and bytes per second, averaged over the last second. Time is a parameter.

const windowUs = 1_000_000;
const slotCount = 10;
const slotUs = windowUs / slotCount;

export class RateEstimator {
  readonly #bytes = new Float64Array(slotCount);
  readonly #packets = new Float64Array(slotCount);
  #slot = 0;

  add(bytes: number, nowUs: number): void {
    this.#advance(nowUs);
    const index = this.#slot % slotCount;
    this.#bytes[index]! += bytes;
    this.#packets[index]! += 1;
  }

  bytesPerSecond(nowUs: number): number {
    this.#advance(nowUs);
    return this.#bytes.reduce((sum, value) => sum + value, 0);
  }

  packetsPerSecond(nowUs: number): number {
    this.#advance(nowUs);
    return this.#packets.reduce((sum, value) => sum + value, 0);
  }

  #advance(nowUs: number): void {
    const slot = Math.floor(nowUs / slotUs);
    if (slot - this.#slot > slotCount) this.#slot = slot - slotCount;
    while (this.#slot < slot) {
      this.#slot++;
      this.#bytes[this.#slot % slotCount] = 0;
      this.#packets[this.#slot % slotCount] = 0;
    }
  }
}
