// How long the decision of an operator's service about a viewer is valid, equal in control plane and gateway.

/** Validity, milliseconds since 1970: setting the clock back ends it. */
export interface HeldWord {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function holdsAt({ sinceMs, untilMs }: HeldWord, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
