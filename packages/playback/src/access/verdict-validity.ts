// Validity of a decision of the operator's service about a viewer; the same in control plane and gateway.

/**
 * Start (inclusive) and end (exclusive) of the validity, milliseconds since 1970. A clock that is set back before the start invalidates it.
 */
export interface VerdictValidity {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function isValidAt({ sinceMs, untilMs }: VerdictValidity, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
