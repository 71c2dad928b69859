// Every call of the product for clients: path and access as values, request and response as types only. A bundle that imports this file
// contains no schemas.
import type { endpoints } from './catalogue.ts';
import type { Call, RequestOf, ResponseOf } from './endpoint.ts';
import { type CallName, paths } from './paths.ts';

type Calls = {
  readonly [Name in CallName]: Call<RequestOf<(typeof endpoints)[Name]>, ResponseOf<(typeof endpoints)[Name]>>;
};

export const calls: Calls = paths;
