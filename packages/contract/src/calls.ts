// Every API call with path and access, and its request and response as types only. Imports no schemas, which keeps bundles small.
import type { endpoints } from './catalogue.ts';
import type { Call, RequestOf, ResponseOf } from './endpoint.ts';
import { type CallName, paths } from './paths.ts';

type Calls = {
  readonly [Name in CallName]: Call<RequestOf<(typeof endpoints)[Name]>, ResponseOf<(typeof endpoints)[Name]>>;
};

export const calls: Calls = paths;
