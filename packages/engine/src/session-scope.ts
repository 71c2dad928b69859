// Async context of sessions. An uncaught error in work or timers of a session ends only that session. A session enters its context once,
// not per packet. The hub leaves the context, because shared outputs and converters belong to no session.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface SessionScope {
  readonly fields: object;
  /** Ends the session. Idempotent. */
  end(): void;
}

const scopes = new AsyncLocalStorage<SessionScope | undefined>();

/** Runs `work` and its async continuations in the context of the session. */
export function inSession<Result>(scope: SessionScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** Runs `work` and its async continuations outside the context of any session. */
export function outsideSessions<Result>(work: () => Result): Result {
  return scopes.run(undefined, work);
}

/** Ends the current session and returns its log fields; undefined outside sessions. Throws what `end` throws. */
export function endCurrentSession(): object | undefined {
  const scope = scopes.getStore();
  scope?.end();
  return scope?.fields;
}
