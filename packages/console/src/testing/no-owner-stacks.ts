// Disables the element stacks of React's development build, which take a fifth of the CPU time. React records a limited number per second,
// and this module marks the limit as reached. If React changes, tests only become slower.
import * as React from 'react';

const internalsName = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const internals = (React as unknown as Readonly<Record<string, object | undefined>>)[internalsName];

/** Applied once, because all test files of a worker share React. */
export function noteNoOwnerStacks(): void {
  if (!internals || !('recentlyCreatedOwnerStacks' in internals)) return;
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Number.POSITIVE_INFINITY,
    set: () => undefined,
  });
}
