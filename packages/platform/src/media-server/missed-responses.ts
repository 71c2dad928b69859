// Reuses the last response of a media server that fails to respond, because a briefly overloaded server still has its streams. Discards the
// response immediately when the port refuses connections.

/**
 * Time after the first missed response in which the last one is reused, milliseconds: two polls, but shorter than viewers wait for a stream
 * that ended.
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

  /** Awaits a call and stores its result. Rejects as the call does. */
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

  /** The reused response; undefined if none was missed, or after the time limit. */
  standIn(): Result | undefined {
    if (this.#missedAtMs === undefined) return undefined;
    return this.#nowMs() - this.#missedAtMs < missedResponseGraceMs ? this.#last : undefined;
  }
}

function isGone(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return goneCodes.has(cause?.code ?? '');
}
