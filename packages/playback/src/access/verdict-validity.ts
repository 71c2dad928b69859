// How long the decision of an operator's service about a viewer is valid, equal in control plane and gateway.

/** Validity, milliseconds since 1970: setting the clock back ends it. */
export interface VerdictValidity {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function isValidAt({ sinceMs, untilMs }: VerdictValidity, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
