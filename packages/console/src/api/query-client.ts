// The query cache: retries, the age at which data is stale, and a refresh when the server is reachable again.
import { calls } from '@srs-stack/contract/calls.ts';
import { QueryClient } from '@tanstack/react-query';
import { isControlPlaneDown } from './api-error.ts';
import { controlPlane } from './control-plane.ts';

/** Number of retries of a query while the server restarts: about half a minute in total, with pauses of `retryDelayMs`. */
const retriesWhileDown = 12;
const retryDelayMs = (attempt: number) => Math.min(500 * 2 ** attempt, 3_000);

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => isControlPlaneDown(error) && failures < retriesWhileDown,
        retryDelay: retryDelayMs,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Refreshes every mounted query when the control plane is available again. The returned function ends these refreshes. */
export function refreshWhenBack(client: QueryClient): () => void {
  return controlPlane.subscribe(() => {
    if (controlPlane.state() === 'up') void client.invalidateQueries();
  });
}

/** Paths of public calls. Their cached responses stay when the session ends. */
const openPaths: readonly string[] = Object.values(calls)
  .filter((endpoint) => endpoint.access === 'none' || endpoint.access === 'password')
  .map((endpoint) => endpoint.path);

/** Drops cached responses that needed a credential. */
export function forgetPrivateData(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !openPaths.includes(String(queryKey[0])) });
}
