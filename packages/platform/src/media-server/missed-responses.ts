// Reuses the last response of a media server that misses a response, because an overloaded server still has its streams. If the port
// refuses connections, the last response is discarded immediately.

/**
 * Time in which the last response is reused, milliseconds. Long enough for two polls, but shorter than the time that viewers wait after a
 * stream has ended.
 */
export const missedResponseGraceMs = 5_000;

const goneCodes = new Set(['ECONNREFUSED', 'ENOENT']);

export class MissedResponses<Result> {
  readonly #nowMs: () => number;
  #last: Result | undefined;
  #missedAtMs: number | undefined;

  /** @param nowMs monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async note(pending: Promise<Result>): Promise<Result> {
    try {
      const response = await pending;
      this.#last = response;
      this.#missedAtMs = undefined;
      return response;
    } catch (error) {
      if (isGone(error)) this.#last = undefined;
      this.#missedAtMs ??= this.#nowMs();
      throw error;
    }
  }

  /** The last response, if a response was missed within the time limit; else undefined. */
  standIn(): Result | undefined {
    if (this.#missedAtMs === undefined) return undefined;
    return this.#nowMs() - this.#missedAtMs < missedResponseGraceMs ? this.#last : undefined;
  }
}

function isGone(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return goneCodes.has(cause?.code ?? '');
}
