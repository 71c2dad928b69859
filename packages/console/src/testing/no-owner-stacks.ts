// React's development build notes for each element the stack that made it, which no test reads and which takes a fifth of what they
// compute. It stops after so many a second, and counts them here; where it no longer does, tests are slower and as good.
import * as React from 'react';

const internalsName = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const internals = (React as unknown as Readonly<Record<string, object | undefined>>)[internalsName];

/** Files of a worker share React: this is set once. */
export function noteNoOwnerStacks(): void {
  if (!internals || !('recentlyCreatedOwnerStacks' in internals)) return;
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    set: () => undefined,
  });
}
