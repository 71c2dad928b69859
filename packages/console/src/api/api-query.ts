// How screens reach the server: `useQuery(apiQuery(endpoints.x, {…}))` and `useMutation(apiMutation(endpoints.y))`.
// A feature keeps its own in `queries.ts`; polling is `refetchInterval: pollIntervalMs`.
import type { Endpoint, RequestOf, ResponseOf } from '@srs-stack/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';

/** Cache key of a call; use it to invalidate after a change. The token is no part of it. */
export function apiKey<E extends Endpoint>(endpoint: E, request?: RequestOf<E>): readonly unknown[] {
  return request === undefined ? [endpoint.path] : [endpoint.path, request];
}

export function apiQuery<E extends Endpoint>(endpoint: E, request: RequestOf<E>) {
  return queryOptions({
    queryKey: apiKey(endpoint, request),
    queryFn: ({ signal }): Promise<ResponseOf<E>> => call(endpoint, request, { signal }),
  });
}

export function apiMutation<E extends Endpoint>(endpoint: E) {
  return mutationOptions({
    mutationKey: [endpoint.path],
    mutationFn: (request: RequestOf<E>): Promise<ResponseOf<E>> => call(endpoint, request),
  });
}
