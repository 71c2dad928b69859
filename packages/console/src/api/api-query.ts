// How screens call the server: `useQuery(apiQuery(calls.x, {…}))` and `useMutation(apiMutation(calls.y))`.
// A feature keeps its queries in `queries.ts` and sets `refetchInterval: pollIntervalMs` for polling.
import type { Call, RequestOf, ResponseOf } from '@srs-stack/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from './api-client.ts';

/** Cache key of a call, without the token. Use the key to invalidate cached data after a change. */
export function apiKey<C extends Call>(endpoint: C, request?: RequestOf<C>): readonly unknown[] {
  return request === undefined ? [endpoint.path] : [endpoint.path, request];
}

export function apiQuery<C extends Call>(endpoint: C, request: RequestOf<C>) {
  return queryOptions({
    queryKey: apiKey(endpoint, request),
    queryFn: ({ signal }): Promise<ResponseOf<C>> => call(endpoint, request, { signal }),
  });
}

export function apiMutation<C extends Call>(endpoint: C) {
  return mutationOptions({
    mutationKey: [endpoint.path],
    mutationFn: (request: RequestOf<C>): Promise<ResponseOf<C>> => call(endpoint, request),
  });
}
