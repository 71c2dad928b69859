// Validity of a decision of the operator's service about a viewer; the same in control plane and gateway.

/** Start and end of the validity, milliseconds since 1970. Setting the clock back ends it. */
export interface VerdictValidity {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function isValidAt({ sinceMs, untilMs }: VerdictValidity, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
