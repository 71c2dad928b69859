// Validity of a verdict: a decision of the operator's service about a viewer. Control plane and gateway use the same rule.

/**
 * Start (inclusive) and end (exclusive) of the validity, milliseconds since 1970. The verdict is also invalid if the clock is set back to a
 * time before the start.
 */
export interface VerdictValidity {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function isValidAt({ sinceMs, untilMs }: VerdictValidity, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
