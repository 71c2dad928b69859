// Whose asynchronous work runs now: what a session awaits or sets a timer for and nobody catches is told of its session, and
// ends it alone. Entered at the door of a session, never per packet; the hub steps out of it, because what is shared by many
// (outputs, converters) belongs to none of them.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface SessionScope {
  /** Who it is, for the log. */
  readonly fields: object;
  /** Ends the session. Idempotent. */
  end(): void;
}

const scopes = new AsyncLocalStorage<SessionScope | undefined>();

/** Runs `work`, and all that follows from it, as part of the session. */
export function inSession<Result>(scope: SessionScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Runs `work`, and all that follows from it, as part of no session. */
export function outsideSessions<Result>(work: () => Result): Result {
  return scopes.run(undefined, work);
}

/** Ends the session whose work runs now; its fields for the log, undefined when it is nobody's. May throw what `end` throws. */
export function endCurrentSession(): object | undefined {
  const scope = scopes.getStore();
  scope?.end();
  return scope?.fields;
}
