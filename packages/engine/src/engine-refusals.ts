// The newest refused sessions, for the operator who wonders why nothing arrives.
import type { Refusal, RefusalReason, SessionInfo } from './session-info.ts';

/** Refusals kept; the oldest is forgotten. */
const maxRefusals = 100;

export class RefusalLog {
  private readonly entries: Refusal[] = [];

  record(refusal: Refusal): void {
    this.entries.unshift(refusal);
    this.entries.length = Math.min(this.entries.length, maxRefusals);
  }

  /** Newest first. */
  all(): Refusal[] {
    return [...this.entries];
  }
}

export interface RefusalFacts {
  readonly protocol: Refusal['protocol'];
  readonly action: Refusal['action'];
  readonly reason: RefusalReason;
  readonly detail: string;
  /** Wall clock, milliseconds since 1970. */
  readonly atMs: number;
}

export function toRefusal({ ip, app, stream }: SessionInfo, facts: RefusalFacts): Refusal {
  return { ...facts, ip, app, stream };
}
