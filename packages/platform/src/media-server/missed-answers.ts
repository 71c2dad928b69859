// The last answer of a media server, for when it misses one: a server that is busy for a moment has not lost its streams. One that is
// gone, whose port refuses, is forgotten at once.

/**
 * So long after the first answer that was missed the last one stands in, milliseconds: two looks at the servers, and shorter than
 * viewers wait for a stream that has really gone.
 */
export const missedAnswerGraceMs = 5_000;

const goneCodes = new Set(['ECONNREFUSED', 'ENOENT']);

export class MissedAnswers<Answer> {
  readonly #nowMs: () => number;
  #last: Answer | undefined;
  #missedAtMs: number | undefined;

  /** @param nowMs monotonic. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Asks, and keeps in mind what came of it. Rejects as the question does. */
  async note(question: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await question;
      this.#last = answer;
      this.#missedAtMs = undefined;
      return answer;
    } catch (error) {
      if (isGone(error)) this.#last = undefined;
      this.#missedAtMs ??= this.#nowMs();
      throw error;
    }
  }

  /** What stands in for an answer that was missed; undefined when none was, or the time is over. */
  standIn(): Answer | undefined {
    if (this.#missedAtMs === undefined) return undefined;
    return this.#nowMs() - this.#missedAtMs < missedAnswerGraceMs ? this.#last : undefined;
  }
}

function isGone(error: unknown): boolean {
  const { cause } = error as { cause?: NodeJS.ErrnoException };
  return goneCodes.has(cause?.code ?? '');
}
