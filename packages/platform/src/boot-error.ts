// A start that cannot go on: `main.ts` prints the message as one sentence and ends with status 1, no stack trace.

export class BootError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BootError';
  }
}

/** Turns whatever was thrown while attempting something into a boot error that names the attempt. */
export function bootErrorOf(attempt: string, error: unknown): BootError {
  if (error instanceof BootError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new BootError(`${attempt}: ${reason}`, { cause: error });
}
