// Validity of a verdict: a decision of the operator's service about a viewer. Control plane and gateway use the same rule.

/**
 * Start (inclusive) and end (exclusive) of the validity, milliseconds since 1970. If the clock is set back before the start, the verdict is
 * invalid.
 */
export interface VerdictValidity {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function isValidAt({ sinceMs, untilMs }: VerdictValidity, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
