// React's development build records a creation stack for each element, which no test reads and which takes a fifth of the CPU time. React
// records a maximum number per second; this code makes React count it as reached. If React changes this, tests only become slower.
import * as React from 'react';

const internalsName = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const internals = (React as unknown as Readonly<Record<string, object | undefined>>)[internalsName];

/** Set once, because the files of a worker share React. */
export function noteNoOwnerStacks(): void {
  if (!internals || !('recentlyCreatedOwnerStacks' in internals)) return;
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    set: () => undefined,
  });
}
