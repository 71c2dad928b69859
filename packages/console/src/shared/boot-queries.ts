// Queries before the first screen: the environment, and whether an admin password exists.
import type { Environment, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/api-client.ts';
import { ApiError } from '../api/api-error.ts';
import { apiKey } from '../api/api-query.ts';
import type { Locale } from '../i18n/languages.ts';

/** Queries the environment of the server; fails if the server is not ready. */
export function environmentQuery(locale: Locale) {
  return queryOptions({
    queryKey: apiKey(calls.envs),
    queryFn: async ({ signal }): Promise<Environment> => {
      const [environment, check] = await Promise.all([
        call(calls.envs, { locale }, { signal }),
        call(calls.check, {}, { signal }),
      ]);
      console.info('server check', check);
      return environment;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface InitState {
  init: boolean;
  /** The setup screen must request the setup token, with which the operator started the server. */
  setupTokenRequired: boolean;
}

export const initQuery = queryOptions({
  queryKey: apiKey(calls.init),
  queryFn: async ({ signal }): Promise<InitState> => toInitState(await call(calls.init, {}, { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

function toInitState(response: ResponseOf<typeof calls.init>): InitState {
  if ('init' in response) return response;
  throw new ApiError({
    kind: 'malformed',
    message: 'the response to the init call lacks the field init',
    url: calls.init.path,
  });
}

/** Marks the server as initialised without another request. */
export function useMarkInitialised(): () => void {
  const client = useQueryClient();
  return () => client.setQueryData(initQuery.queryKey, { init: true, setupTokenRequired: false });
}
