// Marks of processed segment reports. Marks outlive their recording: a repeated report must not start a new recording.

/** Maximum number of marks; the oldest are dropped first. */
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
