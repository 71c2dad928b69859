// How long the word of an operator's service about a viewer holds, alike in control plane and gateway.

/** From when to when, milliseconds since 1970: a clock that is set back ends it. */
export interface HeldWord {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export function holdsAt({ sinceMs, untilMs }: HeldWord, nowMs: number): boolean {
  return sinceMs <= nowMs && nowMs < untilMs;
}
