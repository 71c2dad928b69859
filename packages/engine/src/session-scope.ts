// Async context of sessions: an uncaught error in work or timers that a session started is attributed to that session, and ends only that
// session. The context is entered at the start of a session, never per packet. The hub leaves the context, because shared work (outputs,
// converters) belongs to no session.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface SessionScope {
  /** Session fields for the log. */
  readonly fields: object;
  /** Ends the session. Idempotent. */
  end(): void;
}

const scopes = new AsyncLocalStorage<SessionScope | undefined>();

/** Runs `work`, and all async work it starts, as part of the session. */
export function inSession<Result>(scope: SessionScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Runs `work`, and all async work it starts, as part of no session. */
export function outsideSessions<Result>(work: () => Result): Result {
  return scopes.run(undefined, work);
}

/** Ends the current session; returns its fields for the log, undefined when there is none. May throw what `end` throws. */
export function endCurrentSession(): object | undefined {
  const scope = scopes.getStore();
  scope?.end();
  return scope?.fields;
}
