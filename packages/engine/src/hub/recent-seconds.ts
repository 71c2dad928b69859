// The values of the last seconds, one value per second, oldest first.

export class RecentSeconds {
  readonly #limit: number;
  readonly #kept: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(value: number): void {
    this.#kept.push(value);
    if (this.#kept.length > this.#limit) this.#kept.shift();
  }

  get values(): readonly number[] {
    return this.#kept;
  }

  get sum(): number {
    return this.#kept.reduce((total, value) => total + value, 0);
  }

  /** 0 before the first second. */
  get mean(): number {
    return this.#kept.length === 0 ? 0 : this.sum / this.#kept.length;
  }

  get max(): number {
    return this.#kept.length === 0 ? 0 : Math.max(...this.#kept);
  }
}
