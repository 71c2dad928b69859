// Refused publishers and viewers, for the operator: all are logged, the newest are kept for the API.
import { loggedName } from '../../logged-name.ts';
import type { EngineLogger } from '../../ports.ts';
import {
  actionOf,
  protocolOf,
  type Refusal,
  type RefusalReason,
  type SessionInfo,
  sessionFields,
} from '../../session-info.ts';

/** Maximum number of kept refusals; the oldest is removed. */
const maxRefusals = 100;

export class Refusals {
  readonly #entries: Refusal[] = [];
  readonly #log: EngineLogger;
  readonly #wallClock: () => number;

  constructor(log: EngineLogger, wallClock: () => number) {
    this.#log = log;
    this.#wallClock = wallClock;
  }

  /** @param detail English message without secrets. */
  report(session: SessionInfo, reason: RefusalReason, detail: string): void {
    const { ip, app, stream, type } = session;
    const action = actionOf(type);
    const message = action === 'play' ? 'play refused' : 'publish refused';
    this.#log.warn({ ...sessionFields(session), reason, detail }, message);
    this.record({ protocol: protocolOf(type), action, ip, app, stream, reason, detail });
  }

  /** Adds a peer that was refused before its session started. The caller logs the refusal. */
  record(refusal: Omit<Refusal, 'atMs'>): void {
    const names = { app: loggedName(refusal.app), stream: loggedName(refusal.stream) };
    this.#entries.unshift({ atMs: this.#wallClock(), ...refusal, ...names });
    this.#entries.length = Math.min(this.#entries.length, maxRefusals);
  }

  /** Newest first. */
  all(): Refusal[] {
    return [...this.#entries];
  }
}
