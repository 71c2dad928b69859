// Marks of reports that were taken, beyond the end of their recording too: a repeated report must not open a new one.

/** Marks that are remembered; the oldest go first. */
const maxRemembered = 2_000;

export class RememberedMarks {
  readonly #marks = new Set<string>();

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  add(mark: string): void {
    this.#marks.add(mark);
    const oldest = this.#marks.values().next().value;
    if (this.#marks.size > maxRemembered && oldest !== undefined) this.#marks.delete(oldest);
  }
}
